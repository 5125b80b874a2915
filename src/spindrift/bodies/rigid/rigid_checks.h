#pragma once
// Mistakes of a scene that rigid bodies cannot make good: things inside each other, or outside of everything.
//
//   check_start(bodies, states, obstacles, domain);      // throws UsageError

#include <optional>
#include <span>

#include "spindrift/bodies/body_state.h"
#include "spindrift/bodies/rigid/obstacles.h"
#include "spindrift/bodies/rigid/rigid_body.h"
#include "spindrift/collision/params.h"

namespace spindrift::bodies {

/// Bodies that deform are empty. Throws UsageError that names what is where it cannot be.
void check_start(std::span<const std::optional<RigidBody>> bodies, std::span<const BodyState> states,
                 const Obstacles& obstacles, const std::optional<collision::DomainParams>& domain);

}  // namespace spindrift::bodies
