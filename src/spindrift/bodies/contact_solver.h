#pragma once
// One step of Bullet: contacts and hinges are found and solved, and bodies moved. A world lives for one step only, so
// that nothing is carried over that a saved frame does not have.
//
// Source: Bullet 3 (sequential impulses), split impulses against penetration, sweeps against tunnelling.
//
//   ContactOutcome after = solve_contacts({.bodies = bodies, .obstacles = obstacles.all(), .dt = 0.004});

#include <optional>
#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/obstacles.h"
#include "spindrift/bodies/rigid_shapes.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

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

struct ContactStep {
    std::span<const ContactBody> bodies{};
    std::span<const Obstacle> obstacles{};
    std::span<const BodyContact> pressed{};  ///< in the step before: where the search for impulses begins
    double dt = 0;
};

struct ContactOutcome {
    std::vector<geometry::Pose> frames{};  ///< after the step, by place in the list of bodies
    std::vector<fluid::Twist> velocities{};
    std::vector<BodyContact> contacts{};  ///< that pressed, by the scene's numbers
};

/// The friction between bodies and colliders.
inline constexpr double obstacle_grip = 0.5;

ContactOutcome solve_contacts(const ContactStep& step);

/// How deep two things are in each other.
struct Overlap {
    int a = 0, b = 0;  ///< places in the list of bodies; -1 - k for obstacle k
    double depth = 0;  ///< m
};
std::vector<Overlap> find_overlaps(const ContactStep& step);

}  // namespace spindrift::bodies
