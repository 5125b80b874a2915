#pragma once
// Colour inside of a clear liquid that differs from place to place: ink, or how much of something is dissolved in it.
//
//   Dye dye({.lo = box.lo, .cell = 0.02f, .size = {50, 40, 20}});
//   dye.add(x, absorption);                 // of each particle, 1/m
//   dye.finish(clear_absorption);           // where there was none
//   Vec3f depth = dye.depth(a, b);          // light from a to b is left with exp(-depth)

#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::render {

/// A grid of cells from a corner, `size` of them along each axis.
struct DyeGrid {
    Vec3f lo{};
    float cell = 1;
    Vec3i size{1, 1, 1};
};

/// A grid of cells of at least this width over a box; wider ones if there would be too many.
DyeGrid dye_grid(const Box3f& box, float cell);

class Dye {
  public:
    explicit Dye(const DyeGrid& grid);

    void add(Vec3f place, Vec3f absorption);
    void finish(Vec3f elsewhere);

    /// Absorption of light on a straight way between two places, in the grid's coordinates.
    Vec3f depth(Vec3f from, Vec3f to) const;
    Vec3f at(Vec3f place) const;

  private:
    std::size_t index(int x, int y, int z) const;

    DyeGrid grid_;
    std::vector<Vec3f> absorption_;
    std::vector<float> weight_;
};

}  // namespace spindrift::render
