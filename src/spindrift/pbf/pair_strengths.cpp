#include "spindrift/pbf/pair_strengths.h"

#include <algorithm>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

void PairStrengths::resize(std::size_t particles, bool several) {
    several_ = several;
    size_ = particles;
    if (!several) return;
    stiffness_.resize(particles + ParticleStore::padding);
    std::fill_n(stiffness_.data() + particles, ParticleStore::padding, 0.f);
}

fluid::PerParticle PairStrengths::fill(Buffer<float>& array, const std::vector<float>& table,
                                       const fluid::Properties& properties) {
    if (!several_) return {.one = table[0]};
    array.resize(size_ + ParticleStore::padding);
    std::fill_n(array.data() + size_, ParticleStore::padding, 0.f);
    parallel_for(size_, [&](Range range) {
        for (const std::size_t i : range)
            array[i] = table[properties.liquid(i)];
    });
    return {.each = array.data()};
}

}  // namespace spindrift::pbf
