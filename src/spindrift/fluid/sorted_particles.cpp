#include "spindrift/fluid/sorted_particles.h"

#include <algorithm>

namespace spindrift::fluid {

void SortedParticles::sort(ParticleStore& particles, SpareArrays& spare, StepReport& report) {
    const std::size_t n = particles.size();
    for (Buffer<Float4>& array : spare.of) {
        array.reserve(std::max(particles.capacity(), n) + ParticleStore::padding);
        array.resize(n + ParticleStore::padding);
    }
    const neighbors::SortResult sorted =
        grid_.sort(n, particles.position().data(), particles.velocity().data(), spare.of[0].data(), spare.of[1].data());
    report.escaped = sorted.escaped;
    report.not_finite = sorted.not_finite;
    particles.position_buffer().swap(spare.of[0]);
    particles.velocity_buffer().swap(spare.of[1]);
    particles.set_size(sorted.kept);
    size_ = sorted.kept;
    held_.clear();
}

}  // namespace spindrift::fluid
