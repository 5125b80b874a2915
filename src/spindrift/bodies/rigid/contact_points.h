#pragma once
// What contacts need beside what Bullet finds: all corners of a body on a plane (Bullet has one point), how surfaces go
// together, and the impulse that a contact had in the step before.
//
//   for (const PlaneTouch& touch : touch_plane(body, plane)) ...

#include <span>
#include <vector>

#include "spindrift/bodies/rigid/contact_body.h"
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

/// How the surfaces of two go together; nullptr stands for a collider.
struct SurfacePair {
    double friction = 0, restitution = 0;
    double slack = 0;  ///< m that they may be in each other
};
SurfacePair pair_of(const ContactBody* a, const ContactBody* b);

/// Of the nearest contact of the same two that is nearer than some distance; 0 if there is none.
double impulse_before(std::span<const BodyContact> pressed, int a, int b, Vec3d at, double distance);

}  // namespace spindrift::bodies
