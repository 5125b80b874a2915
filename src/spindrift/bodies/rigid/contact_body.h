#pragma once
// A rigid body as contacts see it.

#include <optional>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/rigid/rigid_shapes.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

/// The friction between bodies and colliders.
inline constexpr double obstacle_grip = 0.5;

/// An axis fixed in the world, and where the body's frame has it.
struct HingePlace {
    Vec3d point{}, axis{};                  ///< in the world
    Vec3d point_in_body{}, axis_in_body{};  ///< in the Bullet frame
    double friction = 0;                    ///< N m
};

struct ContactBody {
    int number = 0;  ///< among the scene's bodies
    const RigidShape* shape = nullptr;
    double mass = 0;          ///< 0 if no force moves it
    geometry::Pose frame{};   ///< of the Bullet shape
    fluid::Twist velocity{};  ///< of its centre
    double grip = 0, restitution = 0;
    std::optional<HingePlace> hinge{};
};

}  // namespace spindrift::bodies
