#pragma once
// Levels of detail: which clusters take part in an iteration, by the levels of their particles and of those around
// them.
//
//   LodIterations levels;
//   levels.find(lists, particles, channel, 4, sorted);       // or levels.take_all(lists, sorted)
//   for (int k = 1; levels.advance_to(k); ++k) ...           // levels.constrained, levels.moving

#include <array>
#include <cstdint>
#include <span>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/sorted_particles.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/active_clusters.h"

namespace spindrift::pbf {

class LodIterations {
  public:
    /// Everybody takes part in every iteration.
    void take_all(const neighbors::ClusterLists& lists, const fluid::SortedParticles& sorted);
    /// A constraint of density is projected in as many iterations as the highest level of its cluster says, `most` at
    /// most; 0 is no level at all. Projecting it moves all neighbours, so that the momentum of each pair is zero: they
    /// stay where they are once the last constraint near them is finished.
    void find(const neighbors::ClusterLists& lists, const ParticleStore& particles, ConstChannel<std::uint8_t> channel,
              std::uint8_t most, const fluid::SortedParticles& sorted);

    /// Goes on to the next iteration, from 1; false if no density counts any more on any rank.
    bool advance_to(int iteration);
    /// Whether the iteration before was the last one that moved some particles, on any rank.
    bool somebody_finished() const { return somebody_finished_; }
    /// Particles of all ranks whose density counts.
    std::uint64_t particles() const { return particles_; }
    /// Sum of max(C, 0) over these, as the last iteration found it.
    double total_error() const;

    ActiveClusters constrained, moving;  ///< whose density counts in an iteration, and whom that moves
    Buffer<float> errors{"levels"};      ///< of each cluster, summed over its particles; for the iteration to write

  private:
    void begin(const neighbors::ClusterLists& lists, const fluid::SortedParticles& sorted);
    void agree(std::span<const std::uint8_t> highest, std::span<const std::uint8_t> highest_near);

    /// Levels are at most this: solver.iterations fits a byte.
    static constexpr std::size_t level_count = 256;

    const neighbors::ClusterLists* lists_ = nullptr;
    const fluid::SortedParticles* sorted_ = nullptr;
    std::uint64_t particles_ = 0;
    bool by_level_ = false, somebody_finished_ = false;
    std::array<std::uint64_t, level_count> constrained_at_{};  ///< particles of all ranks by the level of their cluster
    std::array<std::uint64_t, level_count / 64> moving_at_{};  ///< levels that some cluster moves at, one bit each
    Buffer<std::uint8_t> levels_{"levels"};                    ///< of each particle's cluster
};

}  // namespace spindrift::pbf
