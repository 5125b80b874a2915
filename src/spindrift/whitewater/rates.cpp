#include "spindrift/whitewater/rates.h"

#include <algorithm>
#include <cmath>

namespace spindrift::whitewater {

namespace {

constexpr auto isolation = static_cast<std::size_t>(Potential::isolation);

float ramp(float value, const std::array<float, 2>& range) {
    return std::clamp((value - range[0]) / (range[1] - range[0]), 0.f, 1.f);
}

std::array<float, 2> as_floats(const std::array<double, 2>& range) {
    return {static_cast<float>(range[0]), static_cast<float>(range[1])};
}

}  // namespace

Giver Giver::between(const Giver& a, const Giver& b, float share_of_b) {
    const auto blend = [&](float from, float to) { return from + (to - from) * share_of_b; };
    Giver out;
    for (std::size_t k = 0; k < potential_count; ++k) {
        out.value[k] = blend(a.value[k], b.value[k]);
        out.share[k] = blend(a.share[k], b.share[k]);
    }
    out.energy = blend(a.energy, b.energy);
    return out;
}

RateLaw::RateLaw(const WhitewaterParams& params, double frame, double coarsest_spacing)
    : energy_(as_floats(params.energy)), least_speed_(static_cast<float>(params.isolation.speed)) {
    const double length = crest_length(params, coarsest_spacing);
    const std::array<double, 2> curvature = params.crest.curvature.value_or(std::array{0.25 / length, 1 / length});
    range_ = {{{0, 1},
               as_floats(trapping_speed(params, coarsest_spacing)),
               as_floats(curvature),
               as_floats(params.vorticity.speed)}};
    const std::array rates{params.isolation.rate.at(frame), params.trapped_air.rate.at(frame),
                           params.crest.rate.at(frame), params.vorticity.rate.at(frame)};
    for (std::size_t k = 0; k < potential_count; ++k)
        rate_[k] = params.has(static_cast<Potential>(k)) ? static_cast<float>(rates[k]) : 0.f;
}

std::array<float, potential_count> RateLaw::operator()(const Giver& giver) const {
    std::array<float, potential_count> out{};
    const float energy = ramp(giver.energy, energy_);
    for (std::size_t k = 0; k < potential_count; ++k)
        out[k] = rate_[k] * giver.share[k] * ramp(giver.value[k], range_[k]) * (k == isolation ? 1.f : energy);
    return out;
}

bool RateLaw::is_near(const Giver& giver) const {
    if (rate_[isolation] > 0 && giver.value[isolation] > 0) return true;
    for (std::size_t k = 0; k < potential_count; ++k) {
        if (k != isolation && rate_[k] > 0 && giver.value[k] > 0.5f * range_[k][0] && giver.energy > 0.5f * energy_[0])
            return true;
    }
    return false;
}

bool RateLaw::is_fast(float speed_squared) const {
    const bool isolated = rate_[isolation] > 0 && speed_squared > least_speed_ * least_speed_;
    return isolated || 0.5f * speed_squared > 0.5f * energy_[0];
}

float Rates::of(std::uint32_t particle) const {
    float sum = 0;
    for (const float each : law(givers[row[particle]]))
        sum += each;
    return sum;
}

std::array<double, 2> trapping_speed(const WhitewaterParams& params, double coarsest_spacing) {
    // Waves that are as short as a spacing lets them be have particles differ by about half of sqrt(g spacing): above
    // 0.2 m that is as fast as air is trapped, in liquid that is smooth.
    constexpr double fine = 0.2;
    const double coarser = std::sqrt(std::max(1.0, coarsest_spacing / fine));
    return params.trapped_air.speed.value_or(std::array{0.7 * coarser, 2.5 * coarser});
}

double crest_length(const WhitewaterParams& params, double coarsest_spacing) {
    // What whitecaps of real waves measure, whatever the resolution; what is finer than two cells is not seen.
    constexpr double whitecap = 0.2;
    return params.crest.length.value_or(std::max(whitecap, 4 * coarsest_spacing));
}

}  // namespace spindrift::whitewater
