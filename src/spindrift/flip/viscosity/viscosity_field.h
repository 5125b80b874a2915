#pragma once
// The viscosity of cells from that of the particles in them.
//
//   grid::Field<float> nu("viscosity");
//   average_viscosity(grid, cells, {x, v, by_slot}, nu);      // then Viscosity::Step{.viscosity = &nu}

#include "spindrift/flip/cells.h"
#include "spindrift/flip/mac_grid.h"
#include "spindrift/grid/field.h"

namespace spindrift::flip {

/// Particles as they were sorted.
struct ViscousParticles {
    const Float4* x;  ///< m
    const Float4* v;  ///< the slot in w
    /// m2/s by slot; nullptr: by liquid.
    const float* by_slot = nullptr;
    const std::uint16_t* liquid_by_slot = nullptr;  ///< nullptr: all are of the first
    const float* by_liquid = nullptr;               ///< m2/s
};

/// Sets the mean of the particles in each cell, that of the 26 cells around where there are none, and -1 where those
/// have none either. Every leaf of the grid is written.
void average_viscosity(const MacGrid& grid, const Cells& cells, const ViscousParticles& particles,
                       grid::Field<float>& out);

}  // namespace spindrift::flip
