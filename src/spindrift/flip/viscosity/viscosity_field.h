#pragma once
// The viscosity of cells from that of the particles in them.
//
//   grid::Field<float> nu("viscosity");
//   average_viscosity(grid, cells, {x, viscosity}, nu);      // then Viscosity::Step{.viscosity = &nu}

#include "spindrift/flip/mac.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/mac_grid.h"

namespace spindrift::flip {

/// Particles as they were sorted.
struct ViscousParticles {
    const Float4* x;         ///< m
    const float* viscosity;  ///< m2/s
};

/// Sets the mean of the particles in each cell, that of the 26 cells around where there are none, and -1 where those
/// have none either. Every leaf of the grid is written.
void average_viscosity(const MacGrid& grid, const Cells& cells, const ViscousParticles& particles,
                       grid::Field<float>& out);

}  // namespace spindrift::flip
