#pragma once
// Normals that make a mesh look round where it is meant to be, and keep its edges sharp.
//
//   std::vector<CornerNormals> normals = corner_normals(mesh);
//   Vec3f n = normals[triangle][0];      // at the triangle's first corner

#include <array>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::render {

using CornerNormals = std::array<Vec3f, 3>;

/// For each corner the mean of the faces around it that differ by less than 40 degrees from its own, larger ones
/// counting more. Points at the same place are one, and it does not matter which side a face shows. Faces without area
/// get zeros.
std::vector<CornerNormals> corner_normals(const geometry::Mesh& mesh);

}  // namespace spindrift::render
