#pragma once
// Slivers in the coarse projection: nodes behind walls whose hats hold next to nothing of the liquid.
//
// Equations: phi = P phi', where P gives a sliver the value of the neighbour that it is bound to. What is solved is
// P^T A P phi' = P^T b, as symmetric as A. A hat that is nearly all in a wall has next to no equation of its own: a few
// particles stand against the wall's share, and phi would be anything. Source: after the aggregated finite elements of
// Badia, Verdugo and Martin 2018. Differs: values are copied, not extrapolated. Symbols: as in coarse_projection.h.
//
//   CoarseSlivers slivers;
//   slivers.bind(around, liquid);
//   slivers.spread(direction);                     // P
//   slivers.fold(residual);                        // P^T

#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/pbf/coarse/coarse_liquid.h"

namespace spindrift::pbf {

class CoarseSlivers {
  public:
    /// Binds each sliver to the neighbour along an axis that has most of the liquid; that one may be bound itself,
    /// where two or three walls meet. Liquid grows along such a chain, so it ends.
    void bind(const CoarseSurroundings& around, const CoarseLiquid& liquid);

    /// P: slivers take what they are bound to.
    void spread(Buffer<float>& values) const;
    /// P^T: slivers give away what they have.
    void fold(Buffer<float>& values) const;

  private:
    /// A sliver, and the node whose phi it takes.
    struct Binding {
        std::size_t node, to;
    };

    std::vector<Binding> bindings_;
    Buffer<std::size_t> bound_to_{"coarse projection"};  ///< of each node, itself if it is no sliver
};

}  // namespace spindrift::pbf
