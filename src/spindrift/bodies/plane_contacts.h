#pragma once
// Where bodies touch planes: at all of their corners, while Bullet finds one point only.
//
//   for (const PlaneTouch& touch : touch_plane(body, plane)) ...

#include <vector>

#include "spindrift/bodies/contact_solver.h"
#include "spindrift/collision/params.h"

namespace spindrift::bodies {

/// Contacts are known from this share of a body's size before it touches.
inline constexpr double contact_reach = 0.02;

struct PlaneTouch {
    Vec3d corner{};       ///< in the body's frame
    Vec3d point{};        ///< in the world
    double distance = 0;  ///< above the plane, m
};

/// Whether a body reaches as far as a plane, whose normal has unit length.
bool is_near(const ContactBody& body, const collision::PlaneShape& plane);

/// Whether it has corners; balls and capsules have none.
bool has_corners(const ContactBody& body);
std::vector<PlaneTouch> touch_plane(const ContactBody& body, const collision::PlaneShape& plane);

}  // namespace spindrift::bodies
