#pragma once
// Triangles of a mesh that cut each other.
//
//   std::int64_t pairs = count_crossings(mesh.points, mesh.triangles);    // 0 for a sound mesh

#include <array>
#include <cstdint>
#include <span>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Whether an edge of one triangle goes through the other. Touching and lying in one plane are not crossing; what is
/// closer than a millionth of the triangles' size touches.
bool triangles_cross(const std::array<Vec3f, 3>& a, const std::array<Vec3f, 3>& b);

/// Pairs of triangles without a common point that cross each other; -1 if it would take too long because very many
/// triangles crowd in one place. Points must be finite.
std::int64_t count_crossings(std::span<const Vec3f> points, std::span<const Triangle> triangles);

}  // namespace spindrift::geometry
