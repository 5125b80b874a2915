#pragma once
// A mesh cut into convex parts, so that other bodies can enter its dents.
//
// Source: Mamou and Ghorbel 2009 (hierarchical approximate convex decomposition), as the HACD library has it.
//
//   for (const std::vector<Vec3d>& corners : convex_parts(mesh)) ...

#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

/// Corners of each part. Empty if none were found or the mesh has too many triangles even when simplified.
std::vector<std::vector<Vec3d>> convex_parts(const geometry::Mesh& mesh);

}  // namespace spindrift::bodies
