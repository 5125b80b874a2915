#pragma once
// Triangles of a cube whose corners are inside or outside of one surface (marching cubes).
//
//   const auto& row = cube_table()[0b00000001];
//   for (int i = 0; row[i] != 255; i += 3) ... points on edges row[i], row[i + 1], row[i + 2] ...
//
// Source: Lorensen and Cline 1987, "Marching cubes".
// Differs: the table is made by walking the faces (cube_walk.h), with inside corners that lie across a face kept apart,
// so neighbours always agree. No triangle has a side that lies in a face without being the contour there: such a side
// could meet the same side of the neighbour, and four triangles would share it.

#include <array>
#include <cstdint>

namespace spindrift::surface {

/// For each of the 256 patterns of inside corners (bit = x + 2 y + 4 z): triangles as triples of cube edges
/// (cube_walk.h), at most 5, ended by 255. Normals point outside.
using CubeTable = std::array<std::array<std::uint8_t, 16>, 256>;

const CubeTable& cube_table();

}  // namespace spindrift::surface
