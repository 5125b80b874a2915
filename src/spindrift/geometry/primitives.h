#pragma once
// Simple shapes as closed meshes, faces outward, with texture coordinates.
//
//   Mesh ball = make_sphere({0, 0.5, 0}, 0.1);
//   transform(ball, 2.0, make_pose({0, 1, 0}, {0, 90, 0}));     // twice as large, then turned and moved

#include <array>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::geometry {

/// Twelve triangles; every face shows the whole picture.
Mesh make_box(const Box3d& box);

/// 5120 triangles of nearly equal size, nowhere deeper than 0.12 % of the radius below the true sphere. The picture is
/// laid as on a globe: u runs around the y axis, v from the south pole to the north pole.
Mesh make_sphere(Vec3d center, double radius);

/// A round cylinder between the centres of its ends. The picture goes once around the side, v from base to top; each
/// end shows the disc inside the picture.
Mesh make_cylinder(Vec3d base, Vec3d top, double radius);

/// A cylinder with round ends, between the centres of those. The picture goes once around, v from one end to the other.
Mesh make_capsule(Vec3d base, Vec3d top, double radius);

/// A rectangle of squares cut in two, around the origin in the plane of x and z, facing up; `cells` squares along its
/// longer side. Every other square is cut the other way.
Mesh make_sheet(std::array<double, 2> size, int cells);

/// Scales about the origin, then turns and moves. A negative scale mirrors; faces stay outward.
void transform(Mesh& mesh, double scale, const Pose& pose);

}  // namespace spindrift::geometry
