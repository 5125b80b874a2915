#include "spindrift/constraints/distance.h"

#include <cmath>

#include <fmt/format.h>

namespace spindrift::constraints {

DistanceConstraint::DistanceConstraint(std::vector<DistanceLink> links, double compliance, int passes)
    : links_(std::move(links)), compliance_(compliance), passes_(passes) {
    if (!(compliance >= 0 && std::isfinite(compliance)))
        throw UsageError(fmt::format("DistanceConstraint: the compliance is {} m/N; give 0 or more", compliance));
    if (passes < 1) throw UsageError(fmt::format("DistanceConstraint: {} passes; give at least 1", passes));
    for (std::size_t k = 0; k < links_.size(); ++k) {
        const DistanceLink& link = links_[k];
        if (link.a == link.b)
            throw UsageError(fmt::format("DistanceConstraint: link {} joins particle {} to itself", k, link.a));
        if (!(link.length >= 0 && std::isfinite(link.length)))
            throw UsageError(
                fmt::format("DistanceConstraint: link {} has length {} m; give 0 or more", k, link.length));
    }
}

void DistanceConstraint::begin_step(ConstraintContext& context) {
    active_.clear();
    for (const DistanceLink& link : links_) {
        const std::optional<std::size_t> a = context.find(link.a), b = context.find(link.b);
        if (a && b) active_.push_back({*a, *b, link.length});
    }
}

void DistanceConstraint::project(ConstraintContext& context) {
    for (int pass = 0; pass < passes_; ++pass) {
        const bool forwards = ((context.iteration() - 1) * passes_ + pass) % 2 == 0;
        for (std::size_t k = 0; k < active_.size(); ++k)
            project_link(context, active_[forwards ? k : active_.size() - 1 - k]);
    }
}

void DistanceConstraint::project_link(ConstraintContext& context, Active& link) const {
    const Vec3d apart = context.position(link.a) - context.position(link.b);
    const double distance = length(apart);
    // Two particles at one point have no direction to part in; held at both ends nothing can move.
    if (distance == 0) return;
    const Vec3d along = apart / distance, shift_a = context.shift(link.a, along),
                shift_b = context.shift(link.b, along);
    const double w = dot(along, shift_a + shift_b);
    if (w == 0) return;
    const double a = compliance_ / (context.dt() * context.dt());
    const double step = -(distance - link.length + a * link.multiplier) / (w + a);
    link.multiplier += step;
    if (shift_a != Vec3d{}) context.move(link.a, shift_a * step);
    if (shift_b != Vec3d{}) context.move(link.b, shift_b * -step);
}

}  // namespace spindrift::constraints
