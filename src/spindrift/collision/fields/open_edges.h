#pragma once
// Sides of triangles that no other triangle joins: where a mesh has holes.
//
//   if (count_open_edges(mesh) > 0) ...

#include <cstddef>

#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// Points in the same place count as one.
std::size_t count_open_edges(const geometry::Mesh& mesh);

}  // namespace spindrift::collision
