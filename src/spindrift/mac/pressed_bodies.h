#pragma once
// Bodies in the pressure's solve: each cell beside one pushes it, and it answers within the solve.
//
// Source: Batty, Bertails and Bridson 2007, section 5: the matrix gets the term K M^-1 K^T, K the pushes of cells and M
// the bodies' masses.
//
//   PressedBodies bodies;
//   bodies.list(grid, solids, stencil, {.coupling = coupling, .cell = 0.02, .density = 998});
//   solver.solve(leaves, stencil, rhs, p, {.addition = bodies.empty() ? nullptr : &bodies});
//   bodies.weigh(p);                                          // impulses() are those of this pressure

#include <utility>
#include <vector>

#include "spindrift/fluid/coupling.h"
#include "spindrift/grid/conjugate_gradients.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::mac {

/// The leaf and place of the cell below another on an axis.
std::pair<std::size_t, int> cell_below(const grid::LeafSet& leaves, std::size_t leaf, int cell, int axis);

/// Whether what a wall pushes into a cell can leave it: between bodies that all but touch no pressure could be right.
bool gives_way(const MacGrid& grid, const grid::Stencil& stencil, std::size_t leaf, int cell);

class PressedBodies final : public grid::Addition {
  public:
    struct Settings {
        fluid::Coupling* coupling = nullptr;
        double cell = 1;        ///< m
        double density = 0;     ///< kg/m3, by which the pressure was divided
        bool at_walls = false;  ///< pressure acts as it is at the wall, not in the middle of the cell beside it
    };

    void list(const MacGrid& grid, const Solids& solids, const grid::Stencil& stencil, const Settings& settings);
    bool empty() const { return cells_.empty(); }
    /// Impulses on bodies, N s, of a pressure.
    void weigh(const grid::Field<float>& p);
    const std::vector<fluid::Twist>& impulses() const { return impulses_; }

    /// Adds what the bodies' motion pushes into cells to a right-hand side.
    void add_motion(grid::Field<float>& rhs) const;

    double add(const grid::Field<float>& in, grid::Field<float>& out) override;

  private:
    /// A cell that presses on a body.
    struct Cell {
        std::size_t leaf;
        int cell, body;
        Vec3d push,
            turn;  ///< area that the body closes, outwards from the cell, and its moment about the centre; m^2, m^3
    };

    void add_displaced(const MacGrid& grid, const grid::Stencil& stencil, std::size_t leaf, const DisplacedFace& face);
    void add_cell(const MacGrid& grid, const grid::Stencil& stencil, const WallFace& face, Cell cell);

    Settings settings_;
    std::vector<Cell> cells_;
    std::vector<fluid::Twist> impulses_, answers_;
};

}  // namespace spindrift::mac
