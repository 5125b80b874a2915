#pragma once
// Levels of detail: which clusters take part in an iteration, by the levels of their particles and of those around
// them.
//
//   LodIterations levels;
//   levels.find(lists, particles, channel, 4);               // or levels.take_all(clusters)
//   levels.constrained.advance_to(k);

#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/cluster_lists.h"
#include "spindrift/particles/particle_store.h"
#include "spindrift/pbf/active_clusters.h"

namespace spindrift::pbf {

class LodIterations {
  public:
    /// Everybody takes part in every iteration.
    void take_all(std::size_t clusters) { constrained = moving = ActiveClusters(clusters); }
    /// A constraint of density is projected in as many iterations as the highest level of its cluster says, `most` at
    /// most; 0 is no level at all. Projecting it moves all neighbours, so that the momentum of each pair is zero: they
    /// stay where they are once the last constraint near them is finished.
    void find(const neighbors::ClusterLists& lists, const ParticleStore& particles, ConstChannel<std::uint8_t> channel,
              std::uint8_t most);

    ActiveClusters constrained, moving;  ///< whose density counts in an iteration, and whom that moves

  private:
    Buffer<std::uint8_t> levels_{"levels"};  ///< of each particle's cluster
};

}  // namespace spindrift::pbf
