#pragma once
// The sort that begins a step of every solver.
//
//   SpareArrays spare;
//   sort_particles(grid, particles, spare, report);          // spare holds the arrays as they were before

#include <array>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/solver.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::fluid {

/// Two arrays as large as the store's own, which the sort swaps them with; between two sorts a solver may use them.
struct SpareArrays {
    std::array<Buffer<Float4>, 2> of{Buffer<Float4>("solver scratch"), Buffer<Float4>("solver scratch")};
};

/// Brings a store's positions and velocities into the order of the grid's leaves. Particles out of range or without a
/// number for a place are dropped, and the report says how many.
void sort_particles(neighbors::LeafGrid& grid, ParticleStore& particles, SpareArrays& spare, StepReport& report);

}  // namespace spindrift::fluid
