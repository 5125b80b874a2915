#pragma once
// What nozzles under water add to the liquid.
//
// A nozzle makes liquid where liquid is. Pressure that does not know of it would keep the volume around the nozzle as
// it was: what is born is pressed into what is there, and bursts. Particles that a nozzle holds tell how much it sends:
// each stands for its volume per time that it is held. They are ahead of the nozzle by half of that way on average,
// and so are taken back by it. Nozzles in the air add nothing: air makes room behind them.
//
//   std::vector<CellInflow> inflow;
//   list_inflow(grid, walls, {x, v, size}, inflow);           // for each particle that is held
//   add_inflow(inflow, stencil, rhs);

#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/stencil.h"
#include "spindrift/mac/mac_grid.h"

namespace spindrift::mac {

/// A particle that a nozzle holds until it has gone its support radius.
struct HeldByNozzle {
    Vec3f x;     ///< in cells
    Vec3f v;     ///< m/s
    float size;  ///< its support radius, in cells
};

/// What comes into a cell, m/s per cell.
struct CellInflow {
    std::size_t leaf;
    int cell;
    float flow;
};

/// Adds the cells that a held particle brings liquid into. Distances from the surface are those of grid.phi; walls are
/// in cells as well.
void list_inflow(const MacGrid& grid, const collision::Walls& walls, const HeldByNozzle& held,
                 std::vector<CellInflow>& inflow);

/// Adds what comes into cells that have a pressure.
void add_inflow(std::span<const CellInflow> inflow, const grid::Stencil& stencil, grid::Field<float>& rhs);

}  // namespace spindrift::mac
