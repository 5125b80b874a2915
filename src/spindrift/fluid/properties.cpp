#include "spindrift/fluid/properties.h"

#include <algorithm>
#include <array>

#include "spindrift/fluid/sorted_particles.h"

namespace spindrift::fluid {

namespace {

/// Makes an array as long as loops want it, or gives its memory back.
template <class T>
void set_length(Buffer<T>& array, bool wanted, std::size_t count, T behind) {
    if (!wanted) return array.release();
    array.resize(count + ParticleStore::padding);
    std::fill_n(array.data() + count, ParticleStore::padding, behind);
}

}  // namespace

Properties::Properties(PropertyRule rule) : rule_(std::move(rule)) {
    double largest = 0;
    for (const Liquid& liquid : rule_.liquids())
        largest = std::max(largest, liquid.support_radius());
    for (const Liquid& liquid : rule_.liquids()) {
        const auto h = static_cast<float>(liquid.support_radius() / largest);
        volumes_.push_back(h * h * h);
    }
    const double spacing = largest / support_ratio;
    reference_mass_ = rule_.reference_density() * (spacing * spacing * spacing);
}

void Properties::begin(const ParticleStore& particles, std::size_t count) {
    set_length<std::uint8_t>(liquid_, rule_.liquids().size() > 1, count, 0);
    set_length(density_, rule_.densities_vary(), count, 1.f);
    set_length(lightness_, rule_.densities_vary(), count, 1.f);
    set_length(viscosity_, rule_.viscosities_vary(particles), count, 0.f);
    const auto [least, most] =
        std::minmax_element(rule_.liquids().begin(), rule_.liquids().end(),
                            [](const Liquid& a, const Liquid& b) { return a.viscosity < b.viscosity; });
    one_viscosity_ = static_cast<float>(least->viscosity);
    least_viscosity_ = least->viscosity;
    largest_viscosity_ = most->viscosity;
    by_channel_ = rule_.has_viscosities(particles);
}

void Properties::find_bounds(Range own) {
    if (!by_channel_) return;
    if (own.size() == 0) {
        // Another rank has some, or nobody minds.
        least_viscosity_ = static_cast<double>(thickest);
        largest_viscosity_ = 0;
        return;
    }
    struct Bounds {
        float least, most;
    };
    const float any = viscosity_[own.first];
    const Bounds bounds = parallel_reduce(
        own.size(), default_chunk, Bounds{any, any},
        [&](Range range) {
            const float* const from = viscosity_.data() + own.first;
            const auto [least, most] = std::minmax_element(from + range.first, from + range.last);
            return Bounds{*least, *most};
        },
        [](Bounds a, Bounds b) {
            return Bounds{std::min(a.least, b.least), std::max(a.most, b.most)};
        });
    least_viscosity_ = static_cast<double>(bounds.least);
    largest_viscosity_ = static_cast<double>(bounds.most);
}

void Properties::refresh(const SortedParticles& sorted) {
    if (liquids()) sorted.refresh(liquid_.data());
    if (density().each) {
        sorted.refresh(density_.data());
        sorted.refresh(lightness_.data());
    }
    if (viscosity().each) sorted.refresh(viscosity_.data());
    if (!by_channel_) return;
    std::array<double, 2> bounds{-least_viscosity_, largest_viscosity_};
    sorted.ranks().most(bounds);
    least_viscosity_ = -bounds[0];
    largest_viscosity_ = bounds[1];
}

}  // namespace spindrift::fluid
