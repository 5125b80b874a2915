#include "spindrift/preview/surface_color.h"

#include <algorithm>
#include <cmath>

namespace spindrift::preview {

namespace {

/// Share of its colour that a surface loses when it is wet through.
constexpr float wet_darkening = 0.6f;

/// The two pixels of a row or column between whose centres a place from 0 to 1 lies, and how far it is on the way.
struct Between {
    int low, high;
    float share;
};

/// Textures repeat outside of 0 to 1.
Between between_pixels(float place, int size) {
    const float x = (place - std::floor(place)) * static_cast<float>(size) - 0.5f;
    const int low = static_cast<int>(std::floor(x));
    return {(low + size) % size, (low + 1) % size, x - static_cast<float>(low)};
}

float texture_value(const Image& texture, geometry::Uv uv) {
    if (!std::isfinite(uv[0]) || !std::isfinite(uv[1])) return 0;
    const Between x = between_pixels(uv[0], texture.width), y = between_pixels(1 - uv[1], texture.height);
    const auto row = [&](int at) {
        return texture.at(x.low, at).x * (1 - x.share) + texture.at(x.high, at).x * x.share;
    };
    return row(y.low) * (1 - y.share) + row(y.high) * y.share;
}

}  // namespace

Vec3f surface_color(const MeshBody& body, const Hit& hit) {
    if (!body.wet || body.wet->pixels.empty() || body.mesh->uv.empty()) return body.color;
    const auto& corners = body.mesh->uv[hit.index];
    geometry::Uv uv{};
    for (std::size_t k = 0; k < 2; ++k)
        uv[k] = corners[0][k] * (1 - hit.u - hit.v) + corners[1][k] * hit.u + corners[2][k] * hit.v;
    const float wet = texture_value(*body.wet, uv);
    return body.color * (1 - wet_darkening * (wet > 0 ? std::min(wet, 1.f) : 0.f));
}

}  // namespace spindrift::preview
