#include "spindrift/whitewater/motion.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace spindrift::whitewater {

namespace {

struct Fall {
    float mm, speed;
};

/// Gunn and Kinzer 1949, table 2.
constexpr std::array<Fall, 34> rain{
    {{0.1f, 0.27f}, {0.2f, 0.72f}, {0.3f, 1.17f}, {0.4f, 1.62f}, {0.5f, 2.06f}, {0.6f, 2.47f}, {0.7f, 2.87f},
     {0.8f, 3.27f}, {0.9f, 3.67f}, {1.0f, 4.03f}, {1.2f, 4.64f}, {1.4f, 5.17f}, {1.6f, 5.65f}, {1.8f, 6.09f},
     {2.0f, 6.49f}, {2.2f, 6.90f}, {2.4f, 7.27f}, {2.6f, 7.57f}, {2.8f, 7.82f}, {3.0f, 8.06f}, {3.2f, 8.26f},
     {3.4f, 8.44f}, {3.6f, 8.60f}, {3.8f, 8.72f}, {4.0f, 8.83f}, {4.2f, 8.92f}, {4.4f, 8.98f}, {4.6f, 9.03f},
     {4.8f, 9.07f}, {5.0f, 9.09f}, {5.2f, 9.12f}, {5.4f, 9.14f}, {5.6f, 9.16f}, {5.8f, 9.17f}}};

float measured_speed(float mm) {
    if (mm <= rain.front().mm) return rain.front().speed * (mm * mm) / (rain.front().mm * rain.front().mm);
    if (mm >= rain.back().mm) return rain.back().speed;
    const auto above = std::upper_bound(rain.begin(), rain.end(), mm, [](float a, const Fall& b) { return a < b.mm; });
    const Fall &hi = *above, &lo = *(above - 1);
    return lo.speed + (hi.speed - lo.speed) * (mm - lo.mm) / (hi.mm - lo.mm);
}

}  // namespace

float terminal_speed(float diameter, Terminal terminal) {
    const float mm = diameter * 1000;
    if (terminal == Terminal::measured) return measured_speed(mm);
    return std::clamp(2 + 7 * (mm - 0.5f) / 4, 0.1f, 9.f);
}

void fly(Vec3f& x, Vec3f& v, float terminal, const Air& air, float dt) {
    const float g = length(air.gravity), c = earth_gravity / (terminal * terminal);
    const float fixed_point = g > 0 ? std::sqrt(g / c) : 0;
    if (g > 0 && fixed_point <= g * dt) {
        // Gone to its own speed within a step: linear drag, which is exact at any length.
        const Vec3f end = air.wind + air.gravity * (fixed_point / g), rest = v - end;
        const float tau = fixed_point / g, left = std::exp(-dt / tau);
        x += end * dt + rest * (tau * (1 - left));
        v = end + rest * left;
        return;
    }
    const float exact = 1 / (1 / c - 0.25f * g * dt * dt);
    const Vec3f before = v, kick = air.gravity * (0.5f * dt), relative = v + kick - air.wind;
    v = air.wind + relative / (1 + exact * length(relative) * dt) + kick;
    x += (before + v) * (0.5f * dt);
}

float largest_drop(float speed) {
    constexpr float critical = 12;
    return speed > 0.1f ? critical * water_tension / (air_density * speed * speed) : 1.f;
}

float rise_speed(float diameter) {
    const float small = 150 * diameter;
    const float large =
        std::sqrt(2.14f * water_tension / (water_density * diameter) + 0.505f * earth_gravity * diameter);
    return std::min(small, large);
}

void float_up(Vec3f& x, Vec3f& v, Vec3f liquid, Vec3f rise, float dt) {
    const float tau = std::max(length(rise) / (2 * earth_gravity), 1e-5f), left = std::exp(-dt / tau);
    const Vec3f end = liquid + rise, rest = v - end;
    x += end * dt + rest * (tau * (1 - left));
    v = end + rest * left;
}

float diameter_of(const std::array<double, 2>& range_mm, double mean_mm, float u) {
    const double low = std::exp(-range_mm[0] / mean_mm), high = std::exp(-range_mm[1] / mean_mm);
    const double mm = -mean_mm * std::log(low - static_cast<double>(u) * (low - high));
    return static_cast<float>(1e-3 * std::clamp(mm, range_mm[0], range_mm[1]));
}

}  // namespace spindrift::whitewater
