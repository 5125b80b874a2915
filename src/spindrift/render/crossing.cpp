#include "spindrift/render/crossing.h"

#include <algorithm>
#include <cmath>

#include "spindrift/render/dye.h"
#include "spindrift/render/light.h"
#include "spindrift/render/optics.h"

namespace spindrift::render {

namespace {

/// Bends a direction that smoothed normals have sent to the wrong side of the face back along it.
Vec3f keep_beside(Vec3f direction, Vec3f face) {
    constexpr float least = 0.01f;
    const float beside = dot(direction, face);
    return beside >= least ? direction : normalize(direction + face * (least - beside));
}

/// Smoothed normals may turn away from a ray that still meets the face.
float facing(const Hit& hit, Vec3f direction) {
    return std::max(0.01f, -dot(hit.normal, direction));
}

float ior_of(const RayScene& rays, int medium) {
    return medium == air_medium ? 1 : rays.medium(medium).ior;
}

/// What dye sends on has the colour that it absorbs least.
constexpr float dye_glow = 0.16f;

/// The same of a way through what is cloudy, which sends back its own colour.
Vec3f absorb_in_haze(Vec3f& weight, const Dye::Haze& haze) {
    Vec3f sent;
    const Vec3f &depth = haze.absorbed, deep = deep_color(depth, haze.scattered);
    const float least = std::min({depth.x, depth.y, depth.z});
    for (int c = 0; c < 3; ++c) {
        const float all = depth[c] + haze.scattered;
        if (!(all > 0)) continue;
        const float left = std::exp(-all), cloudy = haze.scattered / all;
        const float glow = depth[c] > 0 ? dye_glow * least / depth[c] : 0;
        sent[c] = weight[c] * (1 - left) * (deep[c] * cloudy + glow * (1 - cloudy));
        weight[c] *= left;
    }
    return sent;
}

}  // namespace

Border border_at(const RayScene& rays, const Hit& hit, Vec3f direction, Inside& inside) {
    Border border;
    border.beyond = inside;
    if (hit.body == Body::liquid) {
        inside.liquid = hit.near;
        border.beyond = inside;
        border.beyond.liquid = hit.far;
    } else if (!hit.thin) {
        inside.glass = hit.near;
        border.beyond = inside;
        border.beyond.glass = hit.far;
    }
    border.near = inside.medium();
    border.far = border.beyond.medium();
    if (hit.thin) {
        // Light that goes to and fro between the two faces of a pane.
        const float once = fresnel(facing(hit, direction), 1 / 1.5f);
        border.mirrored = 2 * once / (1 + once);
        return border;
    }
    border.ratio = ior_of(rays, border.near) / ior_of(rays, border.far);
    border.mirrored = border.ratio == 1 ? 0 : fresnel(facing(hit, direction), border.ratio);
    return border;
}

Ray mirrored(const RayScene& rays, const Hit& hit, const Ray& ray) {
    const Vec3f away = keep_beside(reflect(ray.direction, hit.normal), hit.face);
    return rays.leave(point_of(hit, ray), hit.face, away, ray.time);
}

Ray passed(const RayScene& rays, const Hit& hit, const Ray& ray, float ratio) {
    Vec3f onward = ray.direction;
    if (ratio != 1) {
        const float turned = dot(hit.normal, ray.direction);
        const Vec3f normal = turned < -0.01f ? hit.normal : hit.face;
        onward = refract(ray.direction, normal, ratio).value_or(ray.direction);
        onward = keep_beside(onward, -hit.face);
    }
    return rays.leave(point_of(hit, ray), -hit.face, onward, ray.time);
}

Vec3f absorb(Vec3f& weight, const RayScene& rays, int medium, const Ray& ray, float distance) {
    Vec3f sent;
    if (medium == air_medium) return sent;
    const Medium& in = rays.medium(medium);
    const Vec3f start = ray.origin + in.dye_from;
    if (in.dye && in.dye->is_cloudy())
        return absorb_in_haze(weight, in.dye->haze(start, start + ray.direction * distance));
    const Vec3f depth = in.dye ? in.dye->depth(start, start + ray.direction * distance) : in.absorption * distance;
    const float least = std::min({depth.x, depth.y, depth.z});
    for (int c = 0; c < 3; ++c) {
        if (!(depth[c] > 0)) continue;
        const float left = std::exp(-depth[c]);
        sent[c] = weight[c] * (1 - left) * (in.dye ? dye_glow * least / depth[c] : in.glow[c]);
        weight[c] *= left;
    }
    return sent;
}

Cloudy cloudy_behind(const RayScene& rays, const Border& border, Vec3f point) {
    if (border.far == air_medium) return {};
    const Medium& medium = rays.medium(border.far);
    if (!medium.dye || !medium.dye->is_cloudy()) return {medium.cloudiness, medium.color};
    const Dye::Haze haze = medium.dye->haze_at(point + medium.dye_from);
    return {1 - std::exp(-haze.scattered * medium.dye->cell()), deep_color(haze.absorbed, haze.scattered)};
}

Inside inside_at(const RayScene& rays, Vec3f place) {
    Inside inside;
    Ray ray{place, normalize(Vec3f{0.0107f, 1, 0.0073f}), 0.5f};
    bool found_liquid = false, found_glass = false;
    for (int surface = 0; surface < 16 && !(found_liquid && found_glass); ++surface) {
        const Hit hit = rays.trace(ray);
        if (hit.body == Body::none) break;
        if (hit.clear && hit.body == Body::liquid && !found_liquid) inside.liquid = hit.near, found_liquid = true;
        if (hit.clear && hit.body == Body::mesh && !hit.thin && !found_glass)
            inside.glass = hit.near, found_glass = true;
        ray = passed(rays, hit, ray, 1);
    }
    return inside;
}

}  // namespace spindrift::render
