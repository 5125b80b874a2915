#pragma once
// Iso-densities of particles, w_i = sum_j W(x_i - x_j), and their inverses as weights.
//
//   Buffer<float> m;
//   inverse_weights(cells, reaches, band, {}, m);    // only of those that reach a block of the band

#include <algorithm>
#include <span>

#include "spindrift/surface/band.h"

namespace spindrift::surface {

/// What becomes of an iso-density.
/// Sheets of one layer would be a third too thick with the level of a deep liquid: their weights are less, which the
/// decay of the level turns into a smaller distance. Lone particles keep theirs: a ball two voxels wide loses as much
/// by being cut into triangles.
struct WeightRules {
    float share = 1;     ///< of the weight that a sheet keeps
    float measured = 2;  ///< iso-density deep inside, with the reach it is measured with
    float bulk = 2;      ///< the same with the reach of the surface; of a lone particle both are 1

    /// Shares of the bulk's iso-density: of a lone particle, of the sheets meant, and of what is deep; the outermost
    /// layer of a deep liquid has 0.72.
    static constexpr float lone = 0.07f, sheet_from = 0.35f, sheet_to = 0.46f, deep = 0.6f;

    float weight(float w) const {
        w = 1 + (w - 1) * (bulk - 1) / (measured - 1);
        const float density = w / bulk;
        const float off = density < sheet_from ? (sheet_from - density) / (sheet_from - lone)
                                               : (density - sheet_to) / (deep - sheet_to);
        return (share + (1 - share) * std::clamp(off, 0.f, 1.f)) / w;
    }
};

/// Weights, 1 / w_i by the rules, of each sorted particle within its reach of a block; of no meaning for others.
/// `reach` of each class in units of the cells. Coarser particles count by their volume.
void inverse_weights(const Cells& cells, std::span<const float> reach, const Band& band, const WeightRules& rules,
                     Buffer<float>& out);

/// Box around the points of a leaf, in units of the cells' coordinates.
Box3f leaf_box(const Cells& cells, const Lattice& lattice, std::size_t leaf);

}  // namespace spindrift::surface
