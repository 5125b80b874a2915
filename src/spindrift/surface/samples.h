#pragma once
// Particles to samples of a surface: the implicit functions.
//
// Source: Onderik 2014, Eq. 2-5 (normalized) and 15-17 (several liquids); Zhu and Bridson 2005 (zhu_bridson); Mueller
// et al. 2003 (color_field). Equations: phi(p) = |p - C(p)| - R f(p), C(p) = sum_j m_j W(p - x_j) x_j / sum_j m_j W(p -
// x_j), W(r) = (1 - r^2/h^2)^3; m_j = 1/w_j with w_j = sum_k W(x_j - x_k) and f = g(sum_j m_j W(C - x_j)) for
// normalized, m_j = f = 1 for zhu_bridson. Differs: f is read from the sums at the lattice's points around C, which are
// there already; R comes from the offset of a flat surface. Several liquids share one outer surface, that of all
// particles together, or each pair of them would leave a groove of air; which liquid a point is in is the one with the
// largest sum of W^2, and `lead` is how far it is ahead of the second: the order of liquids has no effect, unlike
// in Eq. 17. Symbols: reach = h, the radius of the kernel W.
//
//   FieldMemory memory;
//   Lattice lattice = evaluate({.cells = cells, .params = params, .voxel = 0.005}, memory);

#include <memory>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/surface/lattice.h"
#include "spindrift/surface/params.h"

namespace spindrift::surface {

struct FieldInput {
    const neighbors::ParticleCells& cells;
    const MeshParams& params;
    double voxel;         ///< m
    bool labels = false;  ///< tell liquids apart
    /// What cuts the surface, in units of the cells from their origin; nothing if nullptr.
    const collision::Walls* walls = nullptr;
};

/// Large arrays, kept from frame to frame: fresh memory costs as much as the sums.
class FieldMemory {
  public:
    FieldMemory();
    ~FieldMemory();
    /// The arrays of a lattice that is not needed any more.
    void take_back(Lattice& lattice);

    struct Buffers;
    std::unique_ptr<Buffers> buffers;
};

Lattice evaluate(const FieldInput& input, FieldMemory& memory);

}  // namespace spindrift::surface
