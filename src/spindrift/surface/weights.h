#pragma once
// Iso-densities of particles, w_i = sum_j W(x_i - x_j), and their inverses as weights.
//
//   Buffer<float> m = inverse_weights(cells, reaches, lattice);    // only of those that reach a leaf of the lattice

#include <span>

#include "spindrift/surface/cells.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// 1 / w_i of each sorted particle within its reach of a leaf; of no meaning for others. `reach` of each class in units
/// of the cells. Coarser particles count by their volume.
Buffer<float> inverse_weights(const Cells& cells, std::span<const float> reach, const Lattice& lattice);

/// Box around the points of a leaf, in units of the cells.
Box3f leaf_box(const Cells& cells, const Lattice& lattice, std::size_t leaf);

}  // namespace spindrift::surface
