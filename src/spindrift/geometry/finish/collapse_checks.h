#pragma once
// What merging the ends of an edge would do to the triangles around them.
//
//   bool good = plane_distance(joined, places, 3, target) < 0.001 && !spoils_triangles(joined, places, 3, 7, target);

#include <cstdint>
#include <span>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/finish/collapse_mesh.h"

namespace spindrift::geometry {

/// The largest distance of `target` to the planes of the triangles around a point.
double plane_distance(const CollapseMesh& joined, std::span<const Vec3d> places, std::uint32_t point, Vec3d target);

/// Whether a triangle around `point`, other than those of the edge to `other`, turns too far or gets too thin when the
/// point goes to `target`.
bool spoils_triangles(const CollapseMesh& joined, std::span<const Vec3d> places, std::uint32_t point,
                      std::uint32_t other, Vec3d target);

}  // namespace spindrift::geometry
