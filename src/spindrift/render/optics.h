#pragma once
// Light at the border of two clear media. Directions have unit length; normals point towards where the light comes
// from.
//
//   Vec3f away = reflect(direction, normal);
//   std::optional<Vec3f> inward = refract(direction, normal, 1 / water_index);
//   float share = fresnel(-dot(direction, normal), 1 / water_index);

#include <algorithm>
#include <cmath>
#include <optional>

#include "spindrift/core/vec.h"

namespace spindrift::render {

inline constexpr float water_index = 1.333f;

inline Vec3f reflect(Vec3f direction, Vec3f normal) {
    return direction - normal * (2 * dot(direction, normal));
}

/// `ratio` is the index on the near side over that on the far one. Nothing if all light is turned back.
inline std::optional<Vec3f> refract(Vec3f direction, Vec3f normal, float ratio) {
    const float facing = -dot(direction, normal);
    const float beyond = 1 - ratio * ratio * (1 - facing * facing);
    if (!(beyond > 0)) return {};
    return normalize(direction * ratio + normal * (ratio * facing - std::sqrt(beyond)));
}

/// Per metre, so that white light is left with a colour after `depth` metres. Black is nearly black: light never ends.
inline Vec3f absorption_of(Vec3f color, float depth) {
    Vec3f absorption;
    for (int c = 0; c < 3; ++c)
        absorption[c] = -std::log(std::clamp(color[c], 0.002f, 1.f)) / depth;
    return absorption;
}

/// Share of unpolarised light that is turned back, by Fresnel's equations.
inline float fresnel(float facing, float ratio) {
    const float near = std::clamp(facing, 0.f, 1.f);
    const float squared = 1 - ratio * ratio * (1 - near * near);
    if (!(squared > 0)) return 1;
    const float far = std::sqrt(squared);
    const float across = (ratio * near - far) / (ratio * near + far),
                along = (near - ratio * far) / (near + ratio * far);
    return 0.5f * (across * across + along * along);
}

}  // namespace spindrift::render
