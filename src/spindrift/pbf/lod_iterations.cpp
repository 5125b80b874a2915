#include "spindrift/pbf/lod_iterations.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "spindrift/core/parallel.h"

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

void LodIterations::find(const neighbors::ClusterLists& lists, const ParticleStore& particles,
                         ConstChannel<std::uint8_t> channel, std::uint8_t most, const fluid::SortedParticles& sorted) {
    const std::span<const neighbors::Cluster> clusters = lists.clusters();
    std::vector<std::uint8_t> highest(clusters.size()), highest_near(clusters.size());
    levels_.resize(sorted.size() + ParticleStore::padding);
    levels_[sorted.size()] = 0;  // pads lists
    parallel_for(clusters.size(), [&, most](Range range) {
        // Bytes may alias anything: what the loop needs is kept in registers.
        const std::uint8_t* const by_slot = channel.data();
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
    sorted.refresh(levels_.data());
    parallel_for(clusters.size(), [&, most, view = lists.view()](Range range) {
        const std::uint8_t* const by_particle = levels_.data();
        std::uint8_t *const own = highest.data(), *const near = highest_near.data();
        for (std::size_t n : range)
            near[n] = own[n] == most ? most : highest_level(view, view.clusters[n], by_particle);
    });
    begin(lists, sorted);
    agree(highest, highest_near);
    constrained = ActiveClusters(std::move(highest));
    moving = ActiveClusters(std::move(highest_near));
}

/// Which iterations there are must be the same on all ranks.
void LodIterations::agree(std::span<const std::uint8_t> highest, std::span<const std::uint8_t> highest_near) {
    by_level_ = true;
    constrained_at_ = {};
    moving_at_ = {};
    for (std::size_t n = 0; n < highest.size(); ++n) {
        constrained_at_[highest[n]] += lists_->clusters()[n].count;
        moving_at_[highest_near[n] / 64] |= std::uint64_t{1} << (highest_near[n] % 64);
    }
    sorted_->ranks().sum(constrained_at_);
    sorted_->ranks().any(moving_at_);
}

void LodIterations::take_all(const neighbors::ClusterLists& lists, const fluid::SortedParticles& sorted) {
    begin(lists, sorted);
    constrained = moving = ActiveClusters(lists.clusters().size());
}

void LodIterations::begin(const neighbors::ClusterLists& lists, const fluid::SortedParticles& sorted) {
    lists_ = &lists;
    sorted_ = &sorted;
    errors.resize(lists.clusters().size());
    particles_ = sorted.global_size();
    by_level_ = somebody_finished_ = false;
}

bool LodIterations::advance_to(int iteration) {
    moving.advance_to(iteration);
    if (!by_level_) return particles_ > 0;
    const auto level = static_cast<std::size_t>(iteration);
    somebody_finished_ = (moving_at_[(level - 1) / 64] >> ((level - 1) % 64) & 1) != 0;
    const std::uint64_t left =
        std::accumulate(constrained_at_.begin() + iteration, constrained_at_.end(), std::uint64_t{0});
    // Who is finished as the last of all was in the last iteration that counts.
    constrained.advance_to(iteration);
    if (left == 0) return false;
    for (const std::uint32_t n : constrained.just_finished())
        errors[n] = 0;
    particles_ = left;
    return true;
}

double LodIterations::total_error() const {
    return sorted_->sums<1>([&](std::size_t leaf, Range) {
        double sum = 0;
        for (const std::size_t n : lists_->clusters_of(leaf))
            sum += static_cast<double>(errors[n]);
        return std::array{sum};
    })[0];
}

}  // namespace spindrift::pbf
