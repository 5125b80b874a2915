// What sinks and rises between particles: how often, and how much of it fits.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/mixing.h"

namespace spindrift::pbf {

namespace {

/// Largest sum of the weights of a particle's pairs times the spacing, in liquid at rest (docs/decisions/0030).
constexpr double most_weight = 1.6;

/// A pass runs once particles would swap this share of what they have with the fastest, and moves no particle's share
/// by more than that.
constexpr double smallest_share = 0.25, largest_share = 0.5;

/// How much faster than the slowest the fastest sinks.
double spread_of(std::span<const float> speeds) {
    const auto [least, most] = std::ranges::minmax(speeds);
    return static_cast<double>(most - least);
}

std::array<float, fluid::most_components> speeds_of(const fluid::Mixture& mixture, Vec3f gravity) {
    std::array<float, fluid::most_components> speeds{};
    for (std::size_t k = 0; k < mixture.components.size(); ++k) {
        const auto& grains = mixture.components[k].grains;
        if (!grains) continue;
        speeds[k] = static_cast<float>(
            fluid::settling_speed(*grains, mixture.carrier, static_cast<double>(length(gravity)), mixture.settling));
    }
    return speeds;
}

/// Of components and what fills their groups of four.
std::vector<std::size_t> grains_first(const fluid::Mixture& mixture) {
    const std::size_t count = mixture.components.size();
    std::vector<std::size_t> order((count + 3) / 4 * 4);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t k) { return k < count && mixture.components[k].grains.has_value(); });
    return order;
}

}  // namespace

void Mixing::set_settling_speeds(std::span<const double> speeds) {
    for (std::size_t k = 0; k < std::min(speeds.size(), mixture_.components.size()); ++k) {
        if (auto& grains = mixture_.components[k].grains) grains->speed = speeds[k];
    }
}

bool Mixing::settling_is_due(const Input& input) {
    if (!mixture_.settles()) return false;
    const double spread = spread_of(speeds_of(mixture_, input.gravity));
    const double finest = fluid::finest_spacing(input.tables.liquids());
    if (spread == 0) settling_due = 0;
    return spread > 0 && most_weight * spread * settling_due / finest >= smallest_share;
}

/// Of each component in each particle, how fast it goes among the grains that are there; and room for more.
void Mixing::find_slips(std::span<const float> alone, float per_weight) {
    const std::vector<fluid::Component>& components = mixture_.components;
    for (std::size_t g = 0; g < shares_.groups(); ++g) {
        slip_[g].resize(shares_.size() + ParticleStore::padding);
        std::fill_n(slip_[g].data() + shares_.size(), ParticleStore::padding, Float4{0, 0, 0, 0});
    }
    room_.resize(shares_.size() + ParticleStore::padding);
    std::fill_n(room_.data() + shares_.size(), ParticleStore::padding, 1e30f);
    parallel_for(shares_.size(), [&](Range range) {
        for (const std::size_t i : range) {
            float all = 0, filled = 0;
            for (std::size_t k = 0; k < components.size(); ++k) {
                if (!components[k].grains) continue;
                all += shares_.share(i, k);
                filled += shares_.share(i, k) / static_cast<float>(components[k].grains->most);
            }
            for (std::size_t k = 0; k < 4 * shares_.groups(); ++k) {
                const bool goes = k < components.size() && components[k].grains;
                const float left = goes ? fluid::hindered(static_cast<float>(components[k].grains->hindrance), all,
                                                          filled, mixture_.hindrance)
                                        : 0.f;
                (&slip_[k / 4][i].x)[k % 4] = goes ? alone[k] * left : 0.f;
            }
            room_[i] = std::max(0.f, 1 - filled) * per_weight;
        }
    });
}

/// Passes of equal length. Weights of pairs are those of this step, so that nobody gets what it has no room for.
void Mixing::settle(const ParticleStore& particles, const Input& input) {
    const auto alone = speeds_of(mixture_, input.gravity);
    std::array<bool, fluid::most_components> rises{};
    std::array<float, fluid::most_components> filling{};
    const std::vector<std::size_t> order = grains_first(mixture_);
    for (std::size_t n = 0; n < order.size(); ++n) {
        if (order[n] >= mixture_.components.size() || !mixture_.components[order[n]].grains) continue;
        rises[n] = alone[order[n]] < 0;
        filling[n] = static_cast<float>(1 / mixture_.components[order[n]].grains->most);
    }
    std::array<const float*, fluid::most_components> share{}, slip{};
    std::array<float*, fluid::most_components> next{};
    SettlingPass pass{.lists = input.lists,
                      .fluid = input.fluid,
                      .x = particles.position().data(),
                      .inverse_share = inverse_share_.data(),
                      .walls = has_walls_ ? wall_.data() : nullptr,
                      .share = share.data(),
                      .next = next.data(),
                      .slip = slip.data(),
                      .room = nullptr,
                      .empty_room = 0,
                      .components = static_cast<int>(mixture_.components.size()),
                      .grains = static_cast<int>(std::ranges::count_if(
                          mixture_.components, [](const fluid::Component& each) { return each.grains.has_value(); })),
                      .rises = rises.data(),
                      .filling = filling.data(),
                      .coefficient = nullptr,
                      .down = normalize(input.gravity),
                      .weights = weights_.data()};
    const double weight = largest_weight(input, pass);
    const int passes = std::max(1, static_cast<int>(std::ceil(weight * spread_of(alone) / largest_share)));
    const std::vector<float> coefficient = pair_geometry(input.tables, settling_due / (input.tables.unit() * passes));
    pass.coefficient = coefficient.data();
    for (int n = 0; n < passes && weight > 0; ++n) {
        pass.empty_room = static_cast<float>(passes / weight);
        find_slips(alone, pass.empty_room);
        pass.room = room_.data();
        // What is beyond the components stays zero.
        for (std::size_t g = 0; g < shares_.groups(); ++g)
            std::copy_n(shares_.group(g), shares_.size(), shares_.next(g));
        for (std::size_t k = 0; k < order.size(); ++k) {
            share[k] = &shares_.group(order[k] / 4)->x + order[k] % 4;
            next[k] = &shares_.next(order[k] / 4)->x + order[k] % 4;
            slip[k] = &slip_[order[k] / 4].data()->x + order[k] % 4;
        }
        input.loops.settle(pass, input.cluster_count);
        shares_.turn();
    }
    settling_due = 0;
}

/// Of the sums over pairs of a particle, in all that is due: share for a slip of 1 m/s.
double Mixing::largest_weight(const Input& input, SettlingPass pass) {
    const std::vector<float> coefficient = pair_geometry(input.tables, settling_due / input.tables.unit());
    pass.coefficient = coefficient.data();
    input.loops.settling_weights(pass, input.cluster_count);
    return weights_.empty() ? 0 : static_cast<double>(*std::ranges::max_element(weights_));
}

}  // namespace spindrift::pbf
