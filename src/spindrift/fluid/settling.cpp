#include "spindrift/fluid/settling.h"

#include <algorithm>
#include <cmath>

namespace spindrift::fluid {

namespace {

/// Einstein's 5/2, and what a bed is thicker than its liquid at most.
constexpr float einstein = 2.5f, thickest_bed = 1e3f;

}  // namespace

double settling_speed(const Grains& grains, const Carrier& carrier, double gravity, SettlingLaw law) {
    if (gravity == 0) return 0;
    if (grains.speed) return *grains.speed;
    const double diameter = 2 * grains.radius, excess = grains.density / carrier.density - 1;
    const double push = std::abs(excess) * gravity * diameter * diameter;
    if (push == 0) return 0;
    const double drag = 18 * carrier.viscosity;
    const double form = law == SettlingLaw::stokes ? 0 : std::sqrt(0.75 * push * diameter);
    return std::copysign(push / (drag + form), excess);
}

double reynolds_number(const Grains& grains, const Carrier& carrier, double speed) {
    return 2 * grains.radius * std::abs(speed) / carrier.viscosity;
}

float hindered(float hindrance, float all, float filled, Hindrance law) {
    if (law == Hindrance::saturation) return 1 - std::pow(std::clamp(filled, 0.f, 1.f), hindrance);
    return hindrance == 1 ? 1.f : std::pow(std::clamp(1 - all, 0.f, 1.f), hindrance - 1);
}

float suspension_factor(float all, float filled) {
    if (!(all > 0) || !(filled > 0)) return 1;
    const float most = all / filled;
    return std::min(thickest_bed, std::pow(std::max(1 - filled, 1e-6f), -einstein * most));
}

}  // namespace spindrift::fluid
