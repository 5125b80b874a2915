#pragma once
// Pairs of particles that keep their distance: ropes, nets, sheets.
//
// Source: Macklin, Mueller and Chentanez 2016 (XPBD), eqs. 17 and 18.
// Equations: C = |x_a - x_b| - L,  dl = -(C + a l) / (w_a + w_b + a),  a = compliance / dt^2.
// Symbols: l the multiplier of a link, summed over the iterations of a step; w inverse masses.
//
//   std::vector<constraints::DistanceLink> rope;
//   for (std::int64_t id = 0; id < 19; ++id) rope.push_back({.a = id, .b = id + 1, .length = 0.02});
//   solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(rope, 0.0, 8), 10);

#include <cstdint>
#include <optional>
#include <vector>

#include "spindrift/constraints/constraint.h"

namespace spindrift::constraints {

struct DistanceLink {
    std::int64_t a = 0, b = 0;  ///< ids
    double length = 0;          ///< m, at rest
};

/// Links are projected one after the other, every other pass backwards. A move is shared by inverse mass, so the pair's
/// momentum stays. More passes per iteration make long chains stiffer. Links of particles that are gone are ignored.
class DistanceConstraint : public Constraint {
  public:
    /// Compliance in m/N: how much a link gives way under a newton; 0 is as stiff as the iterations can make it.
    /// Throws UsageError for links, a compliance or passes that make no sense.
    explicit DistanceConstraint(std::vector<DistanceLink> links, double compliance = 0, int passes = 1);

    void begin_step(ConstraintContext& context) override;
    void project(ConstraintContext& context) override;

  private:
    struct Active {
        std::size_t a, b;
        double length, multiplier = 0;
    };
    void project_link(ConstraintContext& context, Active& link) const;

    std::vector<DistanceLink> links_;
    double compliance_;
    int passes_;
    std::vector<Active> active_;  ///< links whose particles are there, in this step
};

}  // namespace spindrift::constraints
