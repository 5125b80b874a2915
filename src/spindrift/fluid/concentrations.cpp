#include "spindrift/fluid/concentrations.h"

#include <algorithm>

#include "spindrift/core/parallel.h"

namespace spindrift::fluid {

void Concentrations::gather(const Mixture& mixture, const ParticleStore& particles, std::size_t count) {
    groups_ = (mixture.components.size() + 3) / 4;
    size_ = count;
    for (std::size_t g = 0; g < groups_; ++g) {
        for (auto* of : {&now_, &next_}) {
            Buffer<Float4>& array = (*of)[g];
            array.resize(count + ParticleStore::padding);
            std::fill_n(array.data() + count, ParticleStore::padding, Float4{0, 0, 0, 0});
        }
        std::array<const float*, 4> from{};
        for (std::size_t c = 0; c < 4 && 4 * g + c < mixture.components.size(); ++c) {
            const ChannelArray* channel = particles.find_channel(mixture.components[4 * g + c].channel);
            if (channel && channel->type() == ChannelType{ScalarType::f32, 1}) from[c] = channel->as<float>().data();
        }
        parallel_for(count, [&, to = now_[g].data()](Range range) {
            for (const std::size_t i : range) {
                const std::size_t slot = particles.slot(i);
                const auto value = [&](std::size_t c) { return from[c] ? from[c][slot] : 0.f; };
                to[i] = {value(0), value(1), value(2), value(3)};
            }
        });
    }
}

void Concentrations::scatter(const Mixture& mixture, ParticleStore& particles) const {
    for (std::size_t k = 0; k < mixture.components.size(); ++k) {
        ChannelArray* channel = particles.find_channel(mixture.components[k].channel);
        if (!channel || channel->type() != ChannelType{ScalarType::f32, 1}) continue;
        parallel_for(size_, [&, to = channel->as<float>().data()](Range range) {
            for (const std::size_t i : range)
                to[particles.slot(i)] = share(i, k);
        });
    }
}

void Concentrations::turn() {
    now_.swap(next_);
}

SharesBefore::SharesBefore(const Concentrations& shares) {
    for (std::size_t g = 0; g < shares.groups(); ++g) {
        groups_[g].resize(shares.size());
        std::copy_n(shares.group(g), shares.size(), groups_[g].data());
    }
}

void Concentrations::give_back_memory() {
    *this = Concentrations();
}

}  // namespace spindrift::fluid
