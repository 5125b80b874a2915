#pragma once
// Particles that stay where they are told.
//
//   auto pins = std::make_shared<constraints::PinConstraint>(std::vector<constraints::Pin>{{.id = 7, .point = {0, 1,
//   0}}}); simulation.add_constraint(pins, 100); pins->pins()[0].point.x += 0.5 * dt;   // a pin may move between
//   steps; give its velocity too

#include <cstdint>
#include <optional>
#include <vector>

#include "spindrift/constraints/constraint.h"

namespace spindrift::constraints {

struct Pin {
    std::int64_t id = 0;
    Vec3d point{};     ///< m
    Vec3d velocity{};  ///< m/s, of the point if it moves
};

/// With stiffness 1 a particle is exactly at its point at the end of a step, if nothing more important moves it and no
/// wall is in the way; it has the pin's velocity and counts as infinitely heavy for other constraints. With less it
/// covers this share of the way to the point in a step, over all iterations. Pins of particles that are gone wait.
class PinConstraint : public Constraint {
  public:
    /// Throws UsageError for a stiffness outside 0 to 1.
    explicit PinConstraint(std::vector<Pin> pins, double stiffness = 1);

    std::vector<Pin>& pins() { return pins_; }

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;
    void end_step(ConstraintContext& context) override;

  private:
    std::vector<Pin> pins_;
    double stiffness_;
    std::vector<std::optional<std::size_t>> particle_;  ///< of each pin, in this step
};

}  // namespace spindrift::constraints
