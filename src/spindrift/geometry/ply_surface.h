#pragma once
// Surfaces as write_ply left them: points with their attributes, triangles with the liquids on both sides.
//
//   SurfaceFile water = read_ply_surface("water.0042.ply");
//   const Attribute* velocity = water.mesh.find("v");

#include <filesystem>
#include <vector>

#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/write_mesh.h"

namespace spindrift::geometry {

struct SurfaceFile {
    Mesh mesh;                 ///< with attributes; may be empty
    std::vector<Sides> sides;  ///< what is behind and before each triangle; empty if the file does not tell
};

/// Binary little endian files of triangles alone, as write_ply makes them: all numbers of a point are kept by name,
/// colours come back in linear light. Throws IoError.
SurfaceFile read_ply_surface(const std::filesystem::path& path);

}  // namespace spindrift::geometry
