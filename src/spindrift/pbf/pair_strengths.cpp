#include "spindrift/pbf/pair_strengths.h"

#include <algorithm>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

void PairStrengths::resize(std::size_t particles, const fluid::Properties& properties) {
    several_ = properties.liquids() || properties.density().each || properties.rule().tensions_blend();
    size_ = particles;
    if (!several_) return;
    stiffness_.resize(particles + ParticleStore::padding);
    std::fill_n(stiffness_.data() + particles, ParticleStore::padding, 0.f);
}

fluid::PerParticle PairStrengths::fill(Buffer<float>& array, const std::vector<float>& table,
                                       const fluid::Properties& properties, const ParticleStore& particles) {
    if (!several_) return {.one = table[0]};
    array.resize(size_ + ParticleStore::padding);
    std::fill_n(array.data() + size_, ParticleStore::padding, 0.f);
    parallel_for(size_, [&, read = fluid::PropertyRule::Reader(properties.rule(), particles)](Range range) {
        for (const std::size_t i : range)
            array[i] = read.mean(table, i, properties.liquid(i));
    });
    return {.each = array.data()};
}

}  // namespace spindrift::pbf
