#pragma once
// Meshes on disk, written aside and renamed; throw IoError. The same mesh gives the same bytes.
//
//   Mesh ball = make_sphere({0, 0, 0}, 0.5);
//   ball.attributes.push_back({"v", 3, std::vector<float>(3 * ball.points.size(), 0.f)});
//   write_ply("ball.ply", ball);
//   write_obj("ball.obj", ball);
//   write_glb("ball.glb", ball);

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// The materials behind a triangle and in front of it, where its normal points; 255 is air.
using Sides = std::array<std::uint8_t, 2>;

/// Binary, little endian. Attributes of the points become properties: `N` nx ny nz, `v` vx vy vz, `uv` s t, `Cd` red
/// green blue in bytes as sRGB, others their name, or name_x name_y name_z, or name_0 and on if wider. Coordinates of
/// corners become `s t` of the points, as most programs read them: points with several, as along seams, are written
/// once for each. `sides` has one entry per triangle, or none, and becomes `back front` of the faces.
WrittenFile write_ply(const std::filesystem::path& path, const Mesh& mesh, std::span<const Sides> sides = {});

/// Text with enough digits to give back the same floats. `N` and `uv` are the attributes the format has words for.
WrittenFile write_obj(const std::filesystem::path& path, const Mesh& mesh);

/// Binary glTF 2.0: one mesh with NORMAL, TEXCOORD_0 and COLOR_0 (linear) of the attributes `N`, `uv` and `Cd`; others
/// have their name in capitals with an underscore before it, `_V`. A mesh without triangles is a scene without meshes.
WrittenFile write_glb(const std::filesystem::path& path, const Mesh& mesh);

}  // namespace spindrift::geometry
