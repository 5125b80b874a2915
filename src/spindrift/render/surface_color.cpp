#include "spindrift/render/surface_color.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spindrift/image/read_image.h"

namespace spindrift::render {

namespace {

/// Share of its colour that a surface loses when it is wet through.
constexpr float wet_darkening = 0.6f;

float texture_value(const Image& texture, geometry::Uv uv) {
    return std::isfinite(uv[0]) && std::isfinite(uv[1]) ? image::lookup(texture, uv[0], uv[1]).x : 0;
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

Vec3f face_color(const LiquidBody& body, const Hit& hit) {
    constexpr std::uint8_t air = 255;
    const geometry::Sides sides = body.sides.empty() ? geometry::Sides{0, air} : body.sides[hit.index];
    const std::size_t liquid = sides[sides[0] == air ? 1 : 0];
    return body.colors[std::min(liquid, body.colors.size() - 1)];
}

}  // namespace spindrift::render
