#pragma once
// One step of Bullet: contacts and hinges are found and solved, and bodies moved. A world lives for one step only, so
// that nothing is carried over that a saved frame does not have.
//
// Source: Bullet 3 (sequential impulses), split impulses against penetration, sweeps against tunnelling.
//
//   ContactOutcome after = solve_contacts({.bodies = bodies, .obstacles = obstacles.all(), .dt = 0.004});

#include <span>
#include <vector>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/rigid/contact_body.h"
#include "spindrift/bodies/rigid/obstacles.h"
#include "spindrift/fluid/coupling.h"

namespace spindrift::bodies {

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

ContactOutcome solve_contacts(const ContactStep& step);

/// How deep two things are in each other.
struct Overlap {
    int a = 0, b = 0;  ///< places in the list of bodies; -1 - k for obstacle k
    double depth = 0;  ///< m
};
std::vector<Overlap> find_overlaps(const ContactStep& step);

}  // namespace spindrift::bodies
