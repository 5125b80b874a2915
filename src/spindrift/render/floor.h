#pragma once
// The floor's tiles: two greys that differ just enough to show how liquid bends the view.
//
//   Vec3f color = floor_color(x, z, scene.tiles, blur);

#include <algorithm>
#include <cmath>

#include "spindrift/render/studio.h"

namespace spindrift::render {

/// `x` and `z` are metres from a corner of a tile; where a ray is as wide as a tile (`blur`) they all look alike.
inline Vec3f floor_color(double x, double z, double tile, float blur) {
    if (!(tile > 0)) return ground_albedo;
    const float fade = std::clamp(1 - blur / static_cast<float>(tile), 0.f, 1.f);
    const bool even = std::fmod(std::abs(std::floor(x / tile) + std::floor(z / tile)), 2.0) < 0.5;
    constexpr float contrast = 0.09f;
    return ground_albedo * (1 + (even ? contrast : -contrast) * fade);
}

}  // namespace spindrift::render
