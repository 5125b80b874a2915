#pragma once
// Colour inside of a clear liquid that differs from place to place: ink, or how much of something is dissolved in it.
//
//   Dye dye({.lo = box.lo, .cell = 0.02f, .size = {50, 40, 20}});
//   dye.add(x, absorption);                 // of each particle, 1/m
//   dye.add(x, absorption, scattering);     // of what is cloudy, such as milk
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

    void add(Vec3f place, Vec3f absorption, float scattering = 0);
    void finish(Vec3f elsewhere);

    /// Absorption of light on a straight way between two places, in the grid's coordinates.
    Vec3f depth(Vec3f from, Vec3f to) const;
    Vec3f at(Vec3f place) const;

    /// Whether there is anything in it that scatters.
    bool is_cloudy() const { return cloudy_; }
    struct Haze {
        Vec3f absorbed{};
        float scattered = 0;
    };
    /// On a straight way, as depth(): light is left with exp(-absorbed - scattered).
    Haze haze(Vec3f from, Vec3f to) const;
    /// Per metre.
    Haze haze_at(Vec3f place) const;
    float cell() const { return grid_.cell; }

  private:
    std::size_t index(int x, int y, int z) const;

    DyeGrid grid_;
    std::vector<Vec3f> absorption_;
    std::vector<float> weight_, scattering_;
    bool cloudy_ = false;
};

/// What comes back of light that falls on a deep layer of something (Kubelka and Munk 1931).
Vec3f deep_color(Vec3f absorption, float scattering);

/// Absorption of a paint of this colour, for a scattering of 1.
Vec3f paint_absorption(Vec3f color);

}  // namespace spindrift::render
