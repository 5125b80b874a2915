#include "spindrift/fluid/sorted_particles.h"

#include <algorithm>
#include <map>

#include "spindrift/fluid/ghosts.h"
#include "spindrift/fluid/migration.h"

namespace spindrift::fluid {

void SpareArrays::resize(const ParticleStore& particles, std::size_t count) {
    for (Buffer<Float4>& array : of) {
        array.reserve(std::max(particles.capacity(), count) + ParticleStore::padding);
        array.resize(count + ParticleStore::padding);
    }
}

void SortedParticles::share(ranks::Ranks& ranks, ranks::Cuts cuts) {
    ranks_ = &ranks;
    cuts_ = std::move(cuts);
    halo_ = leaf_halo_ = ranks::Halo(ranks);
}

void SortedParticles::sort(ParticleStore& particles, SpareArrays& spare, StepReport& report) {
    if (!ranks_->is_alone()) {
        const auto owner = [&](const Float4& x) { return cuts_.owner(grid_.key_at(x.xyz())); };
        migrate(particles, *ranks_, owner, first_newborn_);
        first_newborn_ = particles.next_id;
    }
    const std::size_t n = particles.size();
    spare.resize(particles, n);
    const neighbors::SortResult sorted =
        grid_.sort(n, particles.position().data(), particles.velocity().data(), spare.of[0].data(), spare.of[1].data());
    report.escaped = sorted.escaped;
    report.not_finite = sorted.not_finite;
    particles.position_buffer().swap(spare.of[0]);
    particles.velocity_buffer().swap(spare.of[1]);
    particles.set_size(sorted.kept);
    size_ = global_size_ = sorted.kept;
    held_.clear();
    if (!ranks_->is_alone()) find_ghosts(particles, spare);
}

void SortedParticles::find_ghosts(ParticleStore& particles, SpareArrays& spare) {
    ranks_->sum({&global_size_, 1});
    Ghosts ghosts(*ranks_, cuts_, grid_, particles.position());
    size_ = ghosts.below().size() + owned().size() + ghosts.above().size();
    ghosts.surround(particles);
    spare.resize(particles, size_);
    grid_.add_ghosts(ghosts.leaves_below(), ghosts.leaves_above(), particles.position().data());
    halo_ = ghosts.particle_halo();
    leaf_halo_ = ghosts.leaf_halo();
}

void SortedParticles::drop_ghosts(ParticleStore& particles) const {
    const Range own = owned();
    if (own.size() == particles.size()) return;
    for (Float4* array : {particles.position().data(), particles.velocity().data()})
        std::copy(array + own.first, array + own.last, array);
    particles.set_size(own.size());
}

}  // namespace spindrift::fluid
