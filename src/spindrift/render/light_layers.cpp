#include "spindrift/render/light_layers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::render {

namespace {

/// As wide as the block of pixels over which the directions of shadow rays are spread (render.cpp).
constexpr int filter_radius = 3;

std::array<float, 2 * filter_radius + 1> filter_weights() {
    constexpr float sigma = 1.6f;
    std::array<float, 2 * filter_radius + 1> weights{};
    for (int i = -filter_radius; i <= filter_radius; ++i) {
        weights[static_cast<std::size_t>(i + filter_radius)] =
            std::exp(-0.5f * static_cast<float>(i * i) / (sigma * sigma));
    }
    return weights;
}

/// How much two pixels show the same thing, 0 to 1.
float likeness(const LitPixel& a, const LitPixel& b, float depth_tolerance) {
    const float same_body = 1 - std::abs(a.ground - b.ground);
    if (a.coverage == 0 || b.coverage == 0) return same_body * same_body;
    const float apart = (a.depth - b.depth) / (depth_tolerance + 0.01f * a.depth);
    return same_body * same_body / (1 + apart * apart * apart * apart);
}

/// Identity up to 0.7, from there a smooth approach to 1.
float roll_off(float x) {
    constexpr float knee = 0.7f;
    return x <= knee ? x : 1 - (1 - knee) * std::exp(-(x - knee) / (1 - knee));
}

/// Light that still arrives where the sky is hidden, by way of other particles.
constexpr float least_sky = 0.1f;

}  // namespace

Vec3f LightLayers::lit(int x, int y, float depth_tolerance) const {
    static const auto weights = filter_weights();
    const LitPixel& center = at(x, y);
    float sun_seen = 0, sun_weight = 0, sky_seen = 0, sky_weight = 0;
    for (int j = std::max(y - filter_radius, 0); j <= std::min(y + filter_radius, height_ - 1); ++j) {
        for (int i = std::max(x - filter_radius, 0); i <= std::min(x + filter_radius, width_ - 1); ++i) {
            const LitPixel& other = at(i, j);
            const float w = weights[static_cast<std::size_t>(i - x + filter_radius)] *
                            weights[static_cast<std::size_t>(j - y + filter_radius)] *
                            likeness(center, other, depth_tolerance);
            sun_seen += w * other.sun_seen, sun_weight += w * other.sun_weight;
            sky_seen += w * other.sky_seen, sky_weight += w * other.sky_weight;
        }
    }
    const float sun = sun_weight > 0 ? sun_seen / sun_weight : 0;
    const float sky = sky_weight > 0 ? sky_seen / sky_weight : 0;
    return center.emitted + center.sunlight * sun + center.skylight * (least_sky + (1 - least_sky) * sky);
}

Image LightLayers::compose(float depth_tolerance) const {
    Image image(width_, height_);
    parallel_for(static_cast<std::size_t>(height_), 8, [&](Range rows) {
        for (const auto row : rows) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < width_; ++x) {
                const bool bare = at(x, y).ground + at(x, y).coverage == 0;
                const Vec3f light = bare ? at(x, y).emitted : lit(x, y, depth_tolerance);
                image.at(x, y) = {roll_off(light.x), roll_off(light.y), roll_off(light.z)};
            }
        }
    });
    return image;
}

}  // namespace spindrift::render
