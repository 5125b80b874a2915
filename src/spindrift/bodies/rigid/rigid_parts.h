#pragma once
// What a RigidWorld is made of; for its own files.
//
//   RigidParts& p = *parts_;
//   if (p.free[body]) p.impulses[body] += impulse;

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/bodies/rigid/contact_islands.h"
#include "spindrift/bodies/rigid/contact_solver.h"
#include "spindrift/bodies/rigid/obstacles.h"
#include "spindrift/bodies/rigid/rigid_body.h"
#include "spindrift/bodies/rigid/rigid_setup.h"

namespace spindrift::bodies {

struct RigidParts {
    std::vector<std::optional<RigidBody>> bodies{};  ///< those that deform are empty
    Obstacles obstacles;
    std::optional<collision::DomainParams> domain{};
    double fps = 24, first_frame = 1;

    std::vector<BodyState> states{};
    std::vector<BodyContact> contacts{};
    std::vector<fluid::Twist> held{};

    // Of the step.
    RigidStep step{};
    std::vector<bool> free{};
    std::vector<fluid::Twist> start{};     ///< velocities without impulses
    std::vector<fluid::Twist> impulses{};  ///< so far
    std::vector<fluid::Twist> changes{};   ///< what those do, unless it is stale
    bool stale = true;
    ContactIslands islands{};

    explicit RigidParts(const RigidSetup& setup)
        : obstacles({.colliders = setup.colliders, .domain = setup.domain, .folder = setup.folder}),
          domain(setup.domain),
          fps(setup.fps),
          first_frame(setup.first_frame) {}

    const RigidBody& body(std::size_t i) const { return *bodies[i]; }
    /// Whether a push is on a body that gives way.
    bool counts(const fluid::BodyPush& push) const {
        return push.body < bodies.size() && free[push.body] && push.impulse != Vec3f{};
    }
    Vec3d arm(const fluid::BodyPush& push, Vec3d origin) const {
        return origin + vec_cast<double>(push.point) - states[push.body].center;
    }
    /// As keys move it in this step.
    fluid::Twist key_velocity(std::size_t i) const;
    ContactIslands make_islands() const;
    void update();
    ContactBody contact_body(std::size_t i, fluid::Twist& before) const;
    void move(std::size_t i, const fluid::Twist& before, const ContactBody& given, const geometry::Pose& frame,
              const fluid::Twist& after);
    void follow_keys(std::size_t i);
    /// The contacts of the step before with what they would have to give to hold all bodies where they are.
    std::vector<BodyContact> guess_contacts(std::span<const fluid::Twist> velocities) const;
};

}  // namespace spindrift::bodies
