#pragma once
// Meshes on disk, written aside and renamed; throw IoError.
//
//   write_ply("ball.ply", make_sphere({0, 0, 0}, 0.5));
//   write_obj("ball.obj", make_sphere({0, 0, 0}, 0.5));

#include <filesystem>
#include <span>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Binary, little endian. Texture coordinates become `s t` of the points, as most programs read them: points with
/// several coordinates, as along seams, are written once for each. `velocities` has one entry per point, or none, and
/// becomes `vx vy vz`.
void write_ply(const std::filesystem::path& path, const Mesh& mesh, std::span<const Vec3f> velocities = {});

/// Text with enough digits to give back the same floats.
void write_obj(const std::filesystem::path& path, const Mesh& mesh);

}  // namespace spindrift::geometry
