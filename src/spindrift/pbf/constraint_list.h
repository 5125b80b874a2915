#pragma once
// The projections of an iteration in their order, density among them, and what they share in a step.
//
//   ConstraintList constraints;
//   constraints.add(std::make_shared<PinConstraint>(pins), 10);
//   for (const ConstraintList::Entry& entry : constraints.entries())   // density is the entry without a constraint
//       entry.constraint ? constraints.project(entry, k, x, x_before) : correct_density();

#include <memory>
#include <span>

#include "spindrift/pbf/constraint.h"

namespace spindrift::pbf {

class ConstraintList {
  public:
    struct Entry {
        int importance = 0;
        std::shared_ptr<Constraint> constraint{};  ///< nullptr is density, whose importance is 0
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

  private:
    std::vector<Entry> entries_{Entry{}};
    ConstraintContext context_;
};

}  // namespace spindrift::pbf
