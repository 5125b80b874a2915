// What lies between two steps: how long the next one may be, and the numbers that a restart needs.

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Seconds: longer than any frame.
constexpr double no_limit = 1e30;

}  // namespace

double Solver::longest_step(const Motion& motion) const {
    const double a = motion.acceleration;
    const double by_gravity = a > 0 ? std::sqrt(params_.fall * fluid::finest_spacing(tables_.liquids()) / a) : no_limit;
    const double by_speed = longest_step_at(motion.speed + a * std::min(by_gravity, motion.frame));
    double by_tension = no_limit;
    for (const Liquid& kind : properties_.rule().kinds()) {
        if (kind.has_tension()) by_tension = std::min(by_tension, largest_tension_step * kind.tension_time);
    }
    return std::min({by_gravity, by_speed, by_tension});
}

double Solver::longest_step_at(double speed) const {
    return speed > 0 ? params_.cfl * support_ratio * fluid::finest_spacing(tables_.liquids()) / speed : no_limit;
}

std::vector<double> Solver::state() const {
    std::vector<double> state{static_cast<double>(guarded_steps_left_), viscosity_.due.time, viscosity_.due.steps};
    if (!mixing_.mixture().empty()) state.push_back(mixing_.due);
    if (mixing_.mixture().settles()) state.push_back(mixing_.settling_due);
    return state;
}

void Solver::set_state(std::span<const double> state) {
    // Far more than any of them ever is, and still a whole number.
    constexpr double most = 1e9;
    const bool sound = state.size() == Solver::state().size() &&
                       std::ranges::all_of(state, [](double x) { return x >= 0 && x <= most; });
    if (!sound) throw UsageError("its solver state is not one of solver = \"pbf\"");
    guarded_steps_left_ = static_cast<int>(state[0]);
    viscosity_.due = {state[1], state[2]};
    if (!mixing_.mixture().empty()) mixing_.due = state[3];
    if (mixing_.mixture().settles()) mixing_.settling_due = state[4];
}

}  // namespace spindrift::pbf
