#include "spindrift/render/surface_color.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spindrift/image/read_image.h"
#include "spindrift/render/light.h"

namespace spindrift::render {

namespace {

/// Share of its colour that a surface loses when it is wet through.
constexpr float wet_darkening = 0.6f;

constexpr Vec3f solid_albedo{0.50f, 0.46f, 0.41f};

float texture_value(const Image& texture, geometry::Uv uv) {
    return std::isfinite(uv[0]) && std::isfinite(uv[1]) ? image::lookup(texture, uv[0], uv[1]).x : 0;
}

/// The liquid behind a surface, or the one before it where air is behind: sharp where liquids meet.
std::size_t liquid_of(const LiquidBody& body, const Hit& hit) {
    return std::min<std::size_t>(hit.sides[hit.sides[0] == surface::air ? 1 : 0], body.looks.size() - 1);
}

}  // namespace

Vec3f Paint::mesh(const MeshBody& body, const Hit& hit) const {
    if (!body.wet || body.wet->pixels.empty() || body.mesh->uv.empty()) return body.color;
    const auto& corners = body.mesh->uv[hit.index];
    geometry::Uv uv{};
    for (std::size_t k = 0; k < 2; ++k)
        uv[k] = corners[0][k] * (1 - hit.u - hit.v) + corners[1][k] * hit.u + corners[2][k] * hit.v;
    const float wet = texture_value(*body.wet, uv);
    return body.color * (1 - wet_darkening * (wet > 0 ? std::min(wet, 1.f) : 0.f));
}

Vec3f Paint::liquid(const LiquidBody& body, const Hit& hit) const {
    if (body.is_clear() || body.matte) return body.looks[liquid_of(body, hit)].color;
    const geometry::Triangle& corners = body.mesh->triangles[hit.index];
    const std::array<float, 3> weights{1 - hit.u - hit.v, hit.u, hit.v};
    float value = 0;
    Vec3f color;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!body.point_colors.empty())
            color += body.point_colors[corners[k]] * weights[k];
        else
            value += body.values[corners[k]] * weights[k];
    }
    return body.point_colors.empty() ? map_(image::map_to_range(value, range_)) : color;
}

Vec3f Paint::floor(Vec3f point, Vec3f direction, float distance) const {
    const Floor& floor = scene_.floor;
    if (!(floor.tiles > 0)) return floor.color;
    const Vec3d place = (vec_cast<double>(point) + view_.eye() - floor.corner) / floor.tiles;
    if (floor.image && !floor.image->pixels.empty()) {
        const double shape = static_cast<double>(floor.image->width) / floor.image->height;
        const double u = place.x - std::floor(place.x), v = -place.z * shape - std::floor(-place.z * shape);
        return image::lookup(*floor.image, static_cast<float>(u), static_cast<float>(v));
    }
    // Two shades that differ enough to show how liquid bends the view; where a pixel is as wide as a tile they all look
    // alike.
    constexpr float contrast = 0.16f;
    const float width = view_.pixel() * distance / std::max(0.01f, -direction.y);
    const float fade = std::clamp(1 - width / static_cast<float>(floor.tiles), 0.f, 1.f);
    const bool even = std::fmod(std::abs(std::floor(place.x) + std::floor(place.z)), 2.0) < 0.5;
    return floor.color * (1 + (even ? contrast : -contrast) * fade);
}

Vec3f Paint::operator()(const Hit& hit, Vec3f point, Vec3f direction, float distance) const {
    switch (hit.body) {
        case Body::ground:
            return floor(point, direction, distance);
        case Body::mesh:
            return mesh(scene_.meshes[hit.mesh], hit);
        case Body::liquid:
            return liquid(scene_.liquids[hit.mesh], hit);
        case Body::cloud:
            return scene_.clouds[hit.mesh].color;
        case Body::particle:
            if (!scene_.colors.empty()) return scene_.colors[hit.index];
            return scene_.values.empty() ? image::water_color
                                         : map_(image::map_to_range(scene_.values[hit.index], range_));
        default:
            return solid_albedo;
    }
}

Vec3f Paint::tint(const Hit& hit) const {
    const MeshBody& body = scene_.meshes[hit.mesh];
    // A wall has two faces.
    return mix(Vec3f{1, 1, 1}, body.color, 0.5f * std::clamp(body.opacity, 0.f, 1.f));
}

std::uint32_t Paint::id(const Hit& hit) const {
    switch (hit.body) {
        case Body::none:
            return body_id::sky;
        case Body::ground:
            return body_id::floor;
        case Body::mesh:
            return scene_.meshes[hit.mesh].id;
        case Body::cloud:
            return body_id::first_cloud + hit.mesh;
        case Body::particle:
            return body_id::first_particles;
        case Body::liquid:
            return body_id::first_liquid + static_cast<std::uint32_t>(liquid_of(scene_.liquids[hit.mesh], hit));
        default:
            return body_id::other;
    }
}

}  // namespace spindrift::render
