// Levels of detail: particles that are finished stay where they are while others go on.

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Every fourth entry: particles that follow each other are neighbours, and a cluster that this misses has one or two
/// at the rim of its support, which push it by next to nothing.
std::uint8_t highest_of(const std::uint32_t* list, std::uint32_t size, const std::uint8_t* levels) {
    constexpr std::uint32_t stride = 4;
    std::uint8_t level = 0;
    for (std::uint32_t k = 0; k < size; k += stride)
        level = std::max(level, levels[list[k]]);
    return level;
}

/// Of a cluster and all its neighbours.
std::uint8_t highest_level(const neighbors::ListView& lists, const neighbors::Cluster& cluster,
                           const std::uint8_t* levels) {
    std::uint8_t level = std::max(levels[cluster.first], highest_of(lists.list(cluster), cluster.list_size, levels));
    if (!cluster.crosses) return level;
    neighbors::SegmentWalk walk = lists.segments(cluster);
    for (neighbors::Segment segment{}; walk.next(segment);)
        level = std::max(level, highest_of(segment.list, segment.size, levels));
    return level;
}

}  // namespace

/// A constraint of density is projected in as many iterations as the highest level of its cluster says; 0 is no level
/// at all. Projecting it moves all neighbours, so that the momentum of each pair is zero: they stay where they are once
/// the last constraint near them is finished.
void Solver::find_levels(const ParticleStore& particles) {
    const std::span<const neighbors::Cluster> clusters = lists_.clusters();
    const ChannelArray* channel = particles.find_channel(level_channel);
    if (!channel || channel->type() != level_type) {
        constrained_ = moving_ = all_clusters();
        return;
    }
    const auto scope = timer_.scope("levels");
    const auto levels = channel->as<std::uint8_t>();
    const auto most = static_cast<std::uint8_t>(params_.iterations);
    std::vector<std::uint8_t> highest(clusters.size()), highest_near(clusters.size());
    levels_.resize(particle_count_ + ParticleStore::padding);
    levels_[particle_count_] = 0;  // pads lists
    parallel_for(clusters.size(), [&, most](Range range) {
        // Bytes may alias anything: what the loop needs is kept in registers.
        const std::uint8_t* const by_slot = levels.data();
        const Float4* const v = particles.velocity().data();
        std::uint8_t *const by_particle = levels_.data(), *const by_cluster = highest.data();
        for (std::size_t n : range) {
            const std::uint32_t first = clusters[n].first, count = clusters[n].count;
            std::uint8_t level = 0;
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint8_t own = by_slot[ParticleStore::slot_of(v[first + k])];
                level = std::max(level, own == 0 ? most : std::min(own, most));
            }
            std::fill_n(by_particle + first, count, level);
            by_cluster[n] = level;
        }
    });
    parallel_for(clusters.size(), [&, most, lists = lists_.view()](Range range) {
        const std::uint8_t* const by_particle = levels_.data();
        std::uint8_t *const own = highest.data(), *const near = highest_near.data();
        for (std::size_t n : range)
            near[n] = own[n] == most ? most : highest_level(lists, lists.clusters[n], by_particle);
    });
    constrained_ = ActiveClusters(std::move(highest));
    moving_ = ActiveClusters(std::move(highest_near));
}

/// Iterates alternate between two buffers: what is finished must be in both, with a multiplier of zero.
void Solver::keep_finished(const CorrectionPass& pass, std::span<const std::uint32_t> finished) {
    parallel_for(finished.size(), [&](Range range) {
        for (std::size_t each : range) {
            const std::uint32_t n = finished[each];
            const neighbors::Cluster& c = lists_.clusters()[n];
            for (std::size_t i : Range{c.first, c.first + c.count})
                pass.x_next[i] = {pass.x[i].x, pass.x[i].y, pass.x[i].z, 0};
            if (contact_pushes_.empty()) continue;
            for (std::uint32_t k = contact_starts_[n]; k < contact_starts_[n + 1]; ++k) {
                if (contact_pushes_[k] == no_push) continue;
                const std::size_t at = push_floats * static_cast<std::size_t>(contact_pushes_[k]);
                std::copy(pass.pushes + at, pass.pushes + at + push_floats, pass.pushes_next + at);
            }
        }
    });
}

}  // namespace spindrift::pbf
