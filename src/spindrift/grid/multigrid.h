#pragma once
// One V-cycle over ever coarser grids: a symmetric positive preconditioner for a Stencil.
//
// Aggregates of 2 x 2 x 2 cells, values constant on them, two Chebyshev-Jacobi sweeps before and after
// (docs/decisions/0018).
//
//   Multigrid cycle;
//   cycle.set_up(leaves, stencil);                          // both must stay alive
//   const double rz = cycle.apply(r, z);                    // z = about A^-1 r, and r . z

#include <cstdint>
#include <deque>
#include <vector>

#include "spindrift/grid/stencil.h"
#include "spindrift/grid/stencil_kernels.h"

namespace spindrift::grid {

/// What the excess is of. A surface of given pressure is farther from the middle of a cell twice as large, so that
/// aggregates have less of it the nearer it is; a mass is in every cell and adds up.
enum class Excess { surface, mass };

class Multigrid {
  public:
    void set_up(const LeafSet& leaves, const Stencil& stencil, Excess excess = Excess::surface);
    /// r must be zero where there is no unknown; z is written in leaves that have one. Returns r . z.
    double apply(const Field<float>& r, Field<float>& z);

    /// Leaves that have unknowns.
    const std::vector<std::int32_t>& active() const { return levels_[0].active; }
    /// LeafBits of each leaf.
    const std::vector<std::uint8_t>& bits() const { return bits_; }
    /// Of the diagonal, 0 where there is no unknown, in active leaves.
    const Field<float>& inverse() const { return levels_[0].inverse; }
    StencilView view() const { return levels_[0].view(); }
    /// Writes zero in the leaves that have no unknowns: whoever stands beside them reads them.
    void clear_idle(Field<float>& field) const;

  private:
    struct Level {
        Stencil own{"pressure levels"};
        Field<float> inverse{"pressure levels"}, scratch{"pressure levels"}, r{"pressure levels"}, x{"pressure levels"};
        LeafSet own_leaves;
        const LeafSet* leaves = nullptr;  ///< own_leaves, but those of the caller on the finest level
        const Stencil* matrix = nullptr;
        std::vector<std::int32_t> active;
        std::vector<std::int32_t> parents;   ///< in the next coarser level, of each leaf
        std::vector<std::uint16_t> corners;  ///< of its eighth there

        StencilView view() const;
    };

    void survey();
    void coarsen(std::size_t fine, Vec3i low, float most_excess);
    /// Writes r . x of each active leaf to `sums`, unless that is nullptr.
    void cycle(std::size_t level, const Field<float>& r, Field<float>& x, double* sums);
    static void solve_bottom(Level& level, const Field<float>& r, Field<float>& x, double* sums);

    std::deque<Level> levels_{1};  ///< more than in use are kept for their memory
    std::size_t level_count_ = 0;
    std::vector<std::uint8_t> bits_;
    std::vector<float> largest_;  ///< coupling of each leaf
    std::vector<Vec3i> coords_;
};

}  // namespace spindrift::grid
