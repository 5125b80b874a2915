#include "spindrift/constraints/pin.h"

#include <cmath>

#include <fmt/format.h>

namespace spindrift::constraints {

PinConstraint::PinConstraint(std::vector<Pin> pins, double stiffness) : pins_(std::move(pins)), stiffness_(stiffness) {
    if (!(stiffness >= 0 && stiffness <= 1))
        throw UsageError(fmt::format("PinConstraint: the stiffness is {}; give one from 0 to 1", stiffness));
}

void PinConstraint::begin_step(ConstraintContext& context) {
    particle_.clear();
    for (const Pin& pin : pins_) {
        particle_.push_back(context.find(pin.id));
        if (!particle_.back() || stiffness_ < 1) continue;
        // In place from the start, so that less important constraints see it there in the first iteration too.
        context.hold(*particle_.back());
        context.set_position(*particle_.back(), pin.point);
    }
}

void PinConstraint::project(ConstraintContext& context) {
    // The shares of all iterations together leave 1 - stiffness of the way.
    const double share = 1 - std::pow(1 - stiffness_, 1.0 / context.iterations());
    for (std::size_t k = 0; k < particle_.size(); ++k) {
        if (!particle_[k]) continue;
        const std::size_t i = *particle_[k];
        if (stiffness_ == 1) {
            context.set_position(i, pins_[k].point);
        } else {
            context.move(i, (pins_[k].point - context.position(i)) * share);
        }
    }
}

void PinConstraint::end_step(ConstraintContext& context) {
    if (stiffness_ < 1) return;
    for (std::size_t k = 0; k < particle_.size(); ++k) {
        if (particle_[k]) context.set_velocity(*particle_[k], pins_[k].velocity);
    }
}

}  // namespace spindrift::constraints
