#pragma once
// Colours and lights of the studio, chosen by eye: a warm key light from the upper left, a blue sky, a faint light at
// the camera for caves, a grey floor on which both dark water and white foam stand out.
//
//   Vec3f seen = hit.body == Body::none ? background(direction) : product(color, open_skylight(hit.normal));

#include <cmath>

#include "spindrift/core/vec.h"

namespace spindrift::render {

inline const Vec3f sun_direction = normalize(Vec3f{-0.50f, 0.84f, 0.42f});
inline constexpr float sun_radius = 0.045f;
inline constexpr Vec3f sun_color{1.18f, 1.08f, 0.94f};
inline constexpr Vec3f sky_color{0.52f, 0.60f, 0.72f};
inline constexpr Vec3f eye_color{0.07f, 0.07f, 0.07f};
inline constexpr Vec3f bounce_color{0.26f, 0.25f, 0.24f};
inline constexpr Vec3f horizon_color{0.66f, 0.74f, 0.80f};
inline constexpr Vec3f zenith_color{0.20f, 0.36f, 0.58f};
inline constexpr Vec3f nadir_color{0.42f, 0.45f, 0.48f};
inline constexpr Vec3f ground_albedo{0.30f, 0.30f, 0.295f};
inline constexpr Vec3f solid_albedo{0.50f, 0.46f, 0.41f};

inline Vec3f mix(Vec3f a, Vec3f b, float t) {
    return a * (1 - t) + b * t;
}

/// Light of one colour on a surface of another.
inline Vec3f product(Vec3f a, Vec3f b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

inline Vec3f background(Vec3f direction) {
    const Vec3f end = direction.y > 0 ? zenith_color : nadir_color;
    return mix(horizon_color, end, 1 - std::exp(-3 * std::abs(direction.y)));
}

/// Skylight on a surface that sees half of the world, from the sky above and from the floor below.
inline Vec3f open_skylight(Vec3f normal) {
    return mix(bounce_color, sky_color, 0.5f + 0.5f * normal.y);
}

}  // namespace spindrift::render
