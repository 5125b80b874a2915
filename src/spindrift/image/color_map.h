#pragma once
// Colours for values, and for things with names.
//
//   const ColorMap& map = color_map("speed");
//   Vec3f albedo = map(0.3f);

#include <array>
#include <string>
#include <string_view>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"

namespace spindrift::image {

/// Linear RGB of water where nothing else gives particles a colour.
inline constexpr Vec3f water_color{0.10f, 0.32f, 0.62f};
/// What a depth of water leaves of white light.
inline constexpr Vec3f clear_water{0.16f, 0.50f, 0.60f};

/// A colour and what it stands for.
struct Swatch {
    std::string name;
    Vec3f color;
};

/// A corner of a colour map in Oklch (Ottosson 2020): lightness, chroma, hue. Straight lines between corners look even.
struct ColorStop {
    float position, lightness, chroma, hue_deg;
};

class ColorMap {
  public:
    explicit ColorMap(ConstChannel<ColorStop> stops);
    /// Linear RGB for t in [0, 1]; outside it the colour of the nearer end, for NaN that of 0.
    Vec3f operator()(float t) const;

  private:
    std::array<Vec3f, 256> table_;
};

/// The map that suits a channel: water from deep blue to foam for speed (which "auto" means for single values),
/// blue-white-red for quantities with a neutral middle (`density`, `density_error`, `divergence`), violet
/// to yellow for all others.
const ColorMap& color_map(std::string_view channel);

/// Where a value stands in a range, 0 for an empty range.
float map_to_range(double value, const std::array<double, 2>& range);

/// From 0 (or the least value, if negative) to a round number that only one value in 200 exceeds.
std::array<double, 2> automatic_range(ConstChannel<float> values);

/// As far below 0 as above it: to a round number, at least `least`, that only one value in 200 exceeds.
std::array<double, 2> symmetric_range(ConstChannel<float> values, double least);

}  // namespace spindrift::image
