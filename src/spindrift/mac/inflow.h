#pragma once
// What nozzles under water add to the liquid.
//
// A nozzle makes liquid where liquid is. Pressure that does not know of it would keep the volume around the nozzle as
// it was: what is born is pressed into what is there, and bursts. Particles that a nozzle holds tell how much it sends:
// each stands for its volume per time that it is held. They are ahead of the nozzle by half of that way on average,
// and so are taken back by it. Nozzles in the air add nothing: air makes room behind them.
//
//   add_inflow(grid, stencil, walls, {x, v, size}, rhs);

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

/// Adds to the inflow of the cells around a held particle, m/s per cell. Distances from the surface are those of
/// grid.phi; walls are in cells as well.
void add_inflow(const MacGrid& grid, const grid::Stencil& stencil, const collision::Walls& walls,
                const HeldByNozzle& held, grid::Field<float>& rhs);

}  // namespace spindrift::mac
