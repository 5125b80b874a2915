#pragma once
// The projections of an iteration in their order, density among them, and what they share in a step.
//
//   ConstraintList constraints;
//   constraints.add(std::make_shared<PinConstraint>(pins), 10);
//   for (const ConstraintList::Entry& entry : constraints.entries())   // density is the entry without a constraint
//       entry.constraint ? constraints.project(entry, k, x, x_before) : correct_density();

#include <memory>
#include <span>

#include "spindrift/constraints/constraint.h"

namespace spindrift::constraints {

class ConstraintList {
  public:
    struct Entry {
        int importance = 0;
        /// nullptr is density, or what holds a body together; its importance is 0.
        std::shared_ptr<Constraint> constraint{};
    };

    /// What the solver knows about a step; positions are in `unit` metres from the store's origin.
    struct Step {
        ParticleStore* particles;
        const collision::Walls* walls;
        const std::vector<Liquid>* liquids;
        const std::uint8_t* liquid;  ///< of each particle; nullptr if there is one
        double unit, dt;
        int iterations;
    };

    /// What a body knows about a short step of its points: one iteration, and nothing is in the way.
    struct PointStep {
        std::span<Vec3d> positions{}, velocities{};
        std::span<const Vec3d> starts{};         ///< positions when the step began
        std::span<const Symmetric3> mobility{};  ///< inverse masses, 1/kg, 0 of pinned points
        double dt = 0;
    };

    /// Behind those of the same importance. Throws UsageError for importance 0.
    void add(std::shared_ptr<Constraint> constraint, int importance);

    /// Whether there is nothing but density.
    bool only_density() const { return entries_.size() == 1; }
    std::span<const Entry> entries() const { return entries_; }

    void begin_step(const Step& step, Float4* x);
    /// Moves positions in both iterates alike; see ConstraintContext::place().
    void project(const Entry& entry, int iteration, Float4* x, Float4* x_before);
    /// Takes particles that constraints moved out of walls that density pushed them into later: the loops know walls
    /// only where particles were near them at first.
    void keep_out_of_walls(const Float4* x_predicted, Float4* x) const;
    void end_step(ParticleStore& particles, Float4* x);

    /// The same for the points of a body. Who holds them together uses the context for it.
    void begin_step(const PointStep& step);
    void project(Constraint& constraint);
    void end_step();
    ConstraintContext& context() { return context_; }

  private:
    std::vector<Entry> entries_{Entry{}};
    ConstraintContext context_;
};

}  // namespace spindrift::constraints
