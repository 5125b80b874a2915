#include "spindrift/render/light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spindrift::render {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

Vec3f direction_of(double elevation_deg, double azimuth_deg) {
    const double up = elevation_deg * std::numbers::pi / 180, around = azimuth_deg * std::numbers::pi / 180;
    return vec_cast<float>(Vec3d{std::cos(up) * std::sin(around), std::sin(up), std::cos(up) * std::cos(around)});
}

/// Chosen by eye: bright enough for shadows, grey enough that both dark water and white foam stand out.
Vec3f studio(Vec3f d) {
    constexpr Vec3f horizon{0.74f, 0.80f, 0.85f}, zenith{0.22f, 0.38f, 0.62f}, nadir{0.40f, 0.42f, 0.44f};
    return mix(horizon, d.y > 0 ? zenith : nadir, 1 - std::exp(-2.6f * std::abs(d.y)));
}

Vec3f overcast(Vec3f d) {
    constexpr Vec3f grey{0.80f, 0.83f, 0.87f};
    return grey * ((1 + 2 * std::max(0.f, d.y)) / 2.2f);
}

/// Perez' distribution of light over the sky, by the angles to the zenith and to the sun.
struct Perez {
    float a, b, c, d, e;
    float operator()(float cos_zenith, float to_sun) const {
        const float cos_sun = std::cos(to_sun);
        return (1 + a * std::exp(b / std::max(0.02f, cos_zenith))) *
               (1 + c * std::exp(d * to_sun) + e * cos_sun * cos_sun);
    }
};

Vec3f rgb_of(float x, float y, float luminance) {
    const float big_x = x / y * luminance, big_z = (1 - x - y) / y * luminance;
    return {std::max(0.f, 3.2406f * big_x - 1.5372f * luminance - 0.4986f * big_z),
            std::max(0.f, -0.9689f * big_x + 1.8758f * luminance + 0.0415f * big_z),
            std::max(0.f, 0.0557f * big_x - 0.2040f * luminance + 1.0570f * big_z)};
}

class Day {
  public:
    explicit Day(Vec3f sun) : sun_(sun) {
        const float z = std::acos(std::clamp(sun.y, -1.f, 1.f)), t = haze;
        const auto cubic = [&](float p, float q, float r, float s) { return ((p * z + q) * z + r) * z + s; };
        zenith_x_ = t * t * cubic(0.00166f, -0.00375f, 0.00209f, 0) +
                    t * cubic(-0.02903f, 0.06377f, -0.03202f, 0.00394f) +
                    cubic(0.11693f, -0.21196f, 0.06052f, 0.25886f);
        zenith_y_ = t * t * cubic(0.00275f, -0.00610f, 0.00317f, 0) +
                    t * cubic(-0.04214f, 0.08970f, -0.04153f, 0.00516f) +
                    cubic(0.15346f, -0.26756f, 0.06670f, 0.26688f);
        zenith_l_ = (4.0453f * t - 4.9710f) * std::tan((4.f / 9 - t / 120) * (pi - 2 * z)) - 0.2155f * t + 2.4192f;
        for (auto [perez, scale] : {std::pair{&light_, &light_scale_}, {&x_, &x_scale_}, {&y_, &y_scale_}})
            *scale = (*perez)(1, z);
    }

    Vec3f operator()(Vec3f d) const {
        const float up = std::max(0.f, d.y);
        const float to_sun = std::acos(std::clamp(dot(d, sun_), -1.f, 1.f));
        const float luminance = std::max(0.f, zenith_l_ * light_(up, to_sun) / light_scale_);
        const float x = zenith_x_ * x_(up, to_sun) / x_scale_, y = zenith_y_ * y_(up, to_sun) / y_scale_;
        constexpr float exposure = 0.07f;
        const Vec3f color = product(rgb_of(x, y, luminance), Vec3f{0.86f, 1.0f, 1.03f}) * exposure;
        // Below the horizon, what the floor would be far away.
        return d.y >= 0 ? color : mix(color, Vec3f{0.30f, 0.30f, 0.30f}, 1 - std::exp(6 * d.y));
    }

  private:
    static constexpr float haze = 3;  ///< turbidity: a clear day
    Vec3f sun_;
    Perez light_{0.1787f * haze - 1.4630f, -0.3554f * haze + 0.4275f, -0.0227f * haze + 5.3251f,
                 0.1206f * haze - 2.5771f, -0.0670f * haze + 0.3703f};
    Perez x_{-0.0193f * haze - 0.2592f, -0.0665f * haze + 0.0008f, -0.0004f * haze + 0.2125f, -0.0641f * haze - 0.8989f,
             -0.0033f * haze + 0.0452f};
    Perez y_{-0.0167f * haze - 0.2608f, -0.0950f * haze + 0.0092f, -0.0079f * haze + 0.2102f, -0.0441f * haze - 1.6537f,
             -0.0109f * haze + 0.0529f};
    float light_scale_ = 1, x_scale_ = 1, y_scale_ = 1;
    float zenith_x_, zenith_y_, zenith_l_;
};

/// What the air leaves of sunlight, redder the lower the sun is.
Vec3f through_air(float height) {
    const float air = 1 / (std::max(0.f, height) + 0.05f);
    return {1.25f * std::exp(-0.035f * air), 1.22f * std::exp(-0.085f * air), 1.20f * std::exp(-0.19f * air)};
}

}  // namespace

Light::Light(Sky sky, const SunParams& sun)
    : table_(side * side), direction_(direction_of(sun.elevation_deg, sun.azimuth_deg)), frame_(direction_) {
    const bool hidden = sky == Sky::overcast;
    sun_ = (sky == Sky::day ? through_air(direction_.y) : Vec3f{1.18f, 1.08f, 0.94f}) * pi *
           static_cast<float>(hidden ? 0 : sun.strength);
    luminous_ = sun_.x > 0;
    radius_ = std::tan(static_cast<float>(sun.size_deg) * pi / 360);
    edge_ = std::cos(static_cast<float>(sun.size_deg) * pi / 360);
    radiance_ = sun_ / (pi * radius_ * radius_);
    if (sky == Sky::studio) fill(studio);
    if (sky == Sky::overcast) fill(overcast);
    if (sky == Sky::day) fill(Day(direction_));
    if (sky == Sky::black) fill([](Vec3f) { return Vec3f{}; });
}

Light::Light(Vec3f uniform) : table_(side * side) {
    fill([&](Vec3f) { return uniform; });
}

void Light::fill(const auto& radiance) {
    Vec3f sum;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const auto unit = [](int i) { return (static_cast<float>(i) + 0.5f) / side * 2 - 1; };
            Vec3f d{unit(x), 0, unit(y)};
            d.y = 1 - std::abs(d.x) - std::abs(d.z);
            if (d.y < 0) {
                const Vec3f folded = d;
                d.x = std::copysign(1 - std::abs(folded.z), folded.x);
                d.z = std::copysign(1 - std::abs(folded.x), folded.z);
            }
            d = normalize(d);
            sum += table_[static_cast<std::size_t>(y * side + x)] = radiance(d);
        }
    }
    mean_ = sum / static_cast<float>(side * side);
    horizon_ =
        (radiance(Vec3f{1, 0, 0}) + radiance(Vec3f{-1, 0, 0}) + radiance(Vec3f{0, 0, 1}) + radiance(Vec3f{0, 0, -1})) /
        4;
}

const Vec3f& Light::texel(int x, int y) const {
    // Beyond an edge of the square lies the same edge, turned around.
    if (x < 0 || x >= side) x = std::clamp(x, 0, side - 1), y = side - 1 - y;
    if (y < 0 || y >= side) y = std::clamp(y, 0, side - 1), x = side - 1 - x;
    return table_[static_cast<std::size_t>(y * side + x)];
}

Vec3f Light::sky(Vec3f d) const {
    const float size = std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
    float x = d.x / size, z = d.z / size;
    if (d.y < 0) {
        const float folded = x;
        x = std::copysign(1 - std::abs(z), x);
        z = std::copysign(1 - std::abs(folded), z);
    }
    const float px = (x + 1) * (side / 2) - 0.5f, pz = (z + 1) * (side / 2) - 0.5f;
    const float fx = std::floor(px), fz = std::floor(pz);
    if (!(fx >= -2 && fx <= side && fz >= -2 && fz <= side)) return mean_;
    const int ix = static_cast<int>(fx), iz = static_cast<int>(fz);
    return mix(mix(texel(ix, iz), texel(ix + 1, iz), px - fx), mix(texel(ix, iz + 1), texel(ix + 1, iz + 1), px - fx),
               pz - fz);
}

Vec3f Light::toward_sun(Pair p) const {
    const Pair at = disc(p);
    return normalize(direction_ + frame_.side * (radius_ * at.u) + frame_.top * (radius_ * at.v));
}

Vec3f Light::sun_disc(Vec3f d) const {
    return luminous_ && dot(d, direction_) >= edge_ ? radiance_ : Vec3f{};
}

}  // namespace spindrift::render
