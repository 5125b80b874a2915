#pragma once
// Crests of a liquid's surface: where it is bent outwards, and how fast the liquid around moves.
//
// Source: docs/decisions/0029. Equations: the share of liquid f is smoothed to a standard deviation of half a length, n
// = -grad f / |grad f|, and the curvature is div n. Differs: from cells, not from normals of particles, which are noise
// at a support of two spacings. Symbols: f share of a cell that is full.
//
//   Crests crests;
//   crests.begin(leaves.size());                          // then fill mean() of all leaves
//   crests.make(leaves, {.h = 0.02f, .length = 0.1});
//   Crests::Crest here = crests.at(leaf, cell);

#include <cstddef>

#include "spindrift/core/vec.h"
#include "spindrift/grid/field.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::whitewater {

class Crests {
  public:
    struct Crest {
        float curvature = 0;  ///< 1/m, positive where the surface is bent outwards
        Vec3f normal{};       ///< out of the liquid
        Vec3f around{};       ///< velocity of the liquid around, m/s
        float full = 0;       ///< share of the space around that is full: half of it on a flat surface
    };

    /// Room for so many leaves.
    void begin(std::size_t leaves);
    /// Velocity times the share that is full, and the share: to be filled for each cell of a leaf.
    Float4* mean(std::size_t leaf) { return mean_.leaf(leaf); }
    struct Smoothing {
        float h = 1;        ///< width of the cells, m
        double length = 0;  ///< to be smoothed over, m
        double had = 0;     ///< variance that mean() has been smoothed with already, in cells squared
    };
    void make(const grid::LeafSet& leaves, const Smoothing& smoothing);

    Crest at(std::size_t leaf, int cell) const;

  private:
    void smooth(const grid::LeafSet& leaves, int axis, int passes, int aside);
    void bend(const grid::LeafSet& leaves, std::size_t leaf, float h);

    grid::Field<Float4> mean_{"whitewater crests"}, other_{"whitewater crests"};
    grid::Field<Float4> crest_{"whitewater crests"};  ///< normal and curvature
};

}  // namespace spindrift::whitewater
