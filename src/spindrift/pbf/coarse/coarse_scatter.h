#pragma once
// Sums over particles for the nodes and cells of the coarse projection: each leaf has some of its own, and a block adds
// up those of the leaves that reach it, always in the same order.
//
//   CoarseScatter scatter;
//   scatter.scatter(blocks, grid, density, x, v);
//   scatter.gather(blocks, block, sums, mobility);

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/pbf/coarse/coarse_blocks.h"

namespace spindrift::pbf {

class CoarseScatter {
  public:
    /// Sums over the particles around a node.
    struct NodeSums {
        float rhs;       ///< of V grad N . v
        float fill;      ///< of V N
        Vec3f gradient;  ///< of V grad N
        Vec3f velocity;  ///< of V N v
    };

    /// Leaves learn the mass of their particles.
    void scatter(CoarseBlocks& blocks, const neighbors::LeafGrid& grid, const fluid::PerParticle& density,
                 const Float4* x, const Float4* v);
    /// The sums of a block's nodes, and the volumes over densities in its cells, relative to a cell's volume.
    void gather(const CoarseBlocks& blocks, std::size_t block, NodeSums* sums, float* mobility) const;

  private:
    void scatter_leaf(CoarseBlocks::Place& place, std::size_t l, const neighbors::LeafGrid& grid,
                      const fluid::PerParticle& density, const Float4* x, const Float4* v);

    Buffer<NodeSums> leaf_sums_{"coarse projection"};
    Buffer<float> cell_sums_{"coarse projection"};  ///< of V / rho, for each leaf
};

}  // namespace spindrift::pbf
