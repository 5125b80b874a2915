#pragma once
// The linear system of the coarse projection: its matrix, and conjugate gradients.
//
//   CoarseSystem system;
//   system.resize(blocks.node_count());            // then rhs is set
//   system.assemble(blocks, liquid);
//   system.solve(blocks, liquid, slivers, bodies);
//   system.phi();

#include "spindrift/core/buffer.h"
#include "spindrift/pbf/coarse/coarse_bodies.h"
#include "spindrift/pbf/coarse/coarse_slivers.h"

namespace spindrift::pbf {

class CoarseSystem {
  public:
    void resize(std::size_t node_count);
    Buffer<float>& rhs() { return rhs_; }
    const Buffer<float>& phi() const { return phi_; }

    /// Makes the matrix of the liquid nodes, keeps the right-hand side of those alone and sets phi to zero.
    void assemble(const CoarseBlocks& blocks, const CoarseLiquid& liquid);
    /// Returns the number of iterations.
    int solve(const CoarseBlocks& blocks, const CoarseLiquid& liquid, const CoarseSlivers& slivers,
              CoarseBodies& bodies);

  private:
    void keep_active(const CoarseBlocks& blocks, const CoarseLiquid& liquid);
    bool is_closed(const CoarseBlocks& blocks, const CoarseLiquid& liquid, std::size_t active_block) const;
    void balance_closed_liquid(const CoarseBlocks& blocks, const CoarseLiquid& liquid);
    double apply(const CoarseBlocks& blocks, const CoarseLiquid& liquid, const Buffer<float>& in,
                 Buffer<float>& out) const;

    Buffer<float> coefficients_{"coarse projection"};  ///< 27 planes of 64 for each active block
    Buffer<float> rhs_{"coarse projection"}, phi_{"coarse projection"}, residual_{"coarse projection"};
    Buffer<float> direction_{"coarse projection"}, product_{"coarse projection"};
};

}  // namespace spindrift::pbf
