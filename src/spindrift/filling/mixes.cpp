#include "spindrift/filling/mixes.h"

#include <cmath>

#include "spindrift/core/errors.h"

namespace spindrift::filling {

namespace {

/// What is no number, or less than nothing, counts as nothing; of nothing at all the first component is everything.
bool repair_shares(fluid::Shares& shares, std::size_t count) {
    constexpr double tolerance = 1e-3, most = 1e30;
    if (fluid::are_whole({shares.data(), count})) return false;
    std::array<double, fluid::most_components> parts{};
    double sum = 0;
    bool sound = true;
    for (std::size_t k = 0; k < count; ++k) {
        const auto share = static_cast<double>(shares[k]);
        sound = sound && share >= -tolerance && share <= most;
        parts[k] = share >= 0 && share <= most ? share : 0;
        sum += parts[k];
    }
    sound = sound && std::abs(sum - 1) <= tolerance;
    if (sum == 0) parts[0] = sum = 1;
    for (double& part : parts)
        part /= sum;
    shares = fluid::whole_shares({parts.data(), count});
    return !sound;
}

}  // namespace

Mixes::Mixes(const Scene& scene) : components_(scene.component) {
    for (const LiquidParams& liquid : scene.liquid)
        of_liquids_.push_back(liquid.mix);
}

std::vector<ChannelArray*> Mixes::channels(ParticleStore& particles) const {
    std::vector<ChannelArray*> found;
    for (const ComponentParams& component : components_) {
        found.push_back(particles.find_channel(share_channel(component.name)));
        SPINDRIFT_CHECK(found.back() != nullptr);
    }
    return found;
}

fluid::Shares Mixes::at(std::size_t liquid, const AnimatedTable& own, double frame) const {
    return fluid::whole_shares(shares_of(components_, own.empty() ? of_liquids_.at(liquid) : own, frame));
}

void Mixes::apply(ParticleStore& particles, Range born, const fluid::Shares& shares) const {
    const std::vector<ChannelArray*> to = channels(particles);
    for (std::size_t k = 0; k < to.size(); ++k) {
        const Channel<float> values = to[k]->as<float>();
        for (const std::size_t i : born)
            values[particles.slot(i)] = shares[k];
    }
}

std::size_t Mixes::repair(ParticleStore& particles) const {
    if (empty()) return 0;
    const std::vector<ChannelArray*> all = channels(particles);
    std::size_t edited = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::size_t slot = particles.slot(i);
        fluid::Shares shares{};
        for (std::size_t k = 0; k < all.size(); ++k)
            shares[k] = all[k]->as<float>()[slot];
        edited += repair_shares(shares, all.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k]->as<float>()[slot] = shares[k];
    }
    return edited;
}

}  // namespace spindrift::filling
