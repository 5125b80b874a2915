#pragma once
// Levels of detail: which clusters take part in an iteration, by the levels of their particles and of those around
// them.
//
//   LodIterations levels;
//   levels.find(lists, particles, channel, 4);               // or levels.take_all(lists)
//   for (int k = 1; levels.advance_to(k); ++k) ...           // levels.constrained, levels.moving

#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/active_clusters.h"

namespace spindrift::pbf {

class LodIterations {
  public:
    /// Everybody takes part in every iteration.
    void take_all(const neighbors::ClusterLists& lists);
    /// A constraint of density is projected in as many iterations as the highest level of its cluster says, `most` at
    /// most; 0 is no level at all. Projecting it moves all neighbours, so that the momentum of each pair is zero: they
    /// stay where they are once the last constraint near them is finished.
    void find(const neighbors::ClusterLists& lists, const ParticleStore& particles, ConstChannel<std::uint8_t> channel,
              std::uint8_t most);

    /// Goes on to the next iteration, from 1; false if no density counts any more.
    bool advance_to(int iteration);
    /// Particles whose density counts.
    std::size_t particles() const { return particles_; }
    /// Sum of max(C, 0) over these, as the last iteration found it.
    double total_error() const;

    ActiveClusters constrained, moving;  ///< whose density counts in an iteration, and whom that moves
    Buffer<float> errors{"levels"};      ///< of each cluster, summed over its particles; for the iteration to write

  private:
    void begin(const neighbors::ClusterLists& lists);

    const neighbors::ClusterLists* lists_ = nullptr;
    std::size_t particles_ = 0;
    Buffer<std::uint8_t> levels_{"levels"};  ///< of each particle's cluster
};

}  // namespace spindrift::pbf
