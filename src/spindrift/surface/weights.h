#pragma once
// Iso-densities of particles, w_i = sum_j W(x_i - x_j), and their inverses as weights.
//
//   Buffer<float> m;
//   inverse_weights(cells, reaches, band, {.reach = reaches}, m);    // only of those that reach a block of the band

#include <span>

#include "spindrift/surface/band.h"

namespace spindrift::surface {

/// How iso-densities measured with one reach stand for those of another.
struct WeightRules {
    std::span<const float> reach{};  ///< of the surface: of each class, in units
    float measured = 2;              ///< iso-density deep inside, with the reach it is measured with
    float bulk = 2;                  ///< the same with the reach of the surface; of a lone particle both are 1

    float weight(float w) const { return 1 / (1 + (w - 1) * (bulk - 1) / (measured - 1)); }
};

/// Weights, 1 / w_i by the rules, of each sorted particle within the surface's reach of a block; of no meaning for
/// others. `reach` of each class, in units of the cells, is what iso-densities are measured with. Coarser particles
/// count by their volume.
void inverse_weights(const neighbors::ParticleCells& cells, std::span<const float> reach, const Band& band,
                     const WeightRules& rules, Buffer<float>& out);

/// Box around the points of a leaf, in units of the cells' coordinates.
Box3f leaf_box(const neighbors::ParticleCells& cells, const Lattice& lattice, std::size_t leaf);

}  // namespace spindrift::surface
