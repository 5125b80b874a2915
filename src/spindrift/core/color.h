#pragma once
// The transfer function of sRGB (IEC 61966-2-1) and its inverse, both clamped to [0, 1].
//
//   float grey = srgb_encode(0.18f);      // 0.46, what a screen is told to show a grey card

#include <algorithm>
#include <cmath>

namespace spindrift {

inline float srgb_encode(float linear) {
    const float c = std::clamp(linear, 0.f, 1.f);
    return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
}

inline float srgb_decode(float encoded) {
    const float c = std::clamp(encoded, 0.f, 1.f);
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

}  // namespace spindrift
