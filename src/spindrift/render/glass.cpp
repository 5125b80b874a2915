#include "spindrift/render/glass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spindrift/render/studio.h"
#include "spindrift/render/surface_color.h"

namespace spindrift::render {

namespace {

constexpr int most_layers = 8;

/// Share of the light that a face turns away: little straight on, most at its rim. More than real glass does, which
/// nobody would find in a small picture.
float mirrored(float facing) {
    const float edge = 1 - facing;
    return 0.03f + 0.85f * edge * edge * std::sqrt(edge);
}

/// The sun and the sky in the face, dim enough that rims stand out from a bright ground as well as from dark liquid.
Vec3f reflection(Vec3f direction, Vec3f normal) {
    const Vec3f away = direction - normal * (2 * dot(direction, normal));
    const float sun = std::pow(std::max(0.f, dot(away, sun_direction)), 300.f);
    return background(away) * 0.6f + sun_color * (8 * sun);
}

void add_layer(Glass& glass, const MeshBody& body, const Hit& hit, Vec3f direction) {
    const float facing = std::clamp(-dot(hit.normal, direction), 0.f, 1.f);
    const float mirror = mirrored(facing);
    // A wall has two faces, which together are as opaque as the body.
    const float veil = 1 - std::sqrt(std::clamp(1 - body.opacity, 0.f, 1.f));
    const Vec3f own = product(surface_color(body, hit), open_skylight(hit.normal) + sun_color * 0.3f);
    glass.light += (reflection(direction, hit.normal) * mirror + own * (veil * (1 - mirror))) * glass.clear;
    glass.clear *= (1 - veil) * (1 - mirror);
}

}  // namespace

Glass look_through_glass(const RenderScene& scene, const Stage& stage, Vec3f direction, const Hit& behind) {
    Glass glass;
    const float far = behind.body == Body::none ? std::numeric_limits<float>::infinity() : behind.distance;
    float near = 0;
    for (int layer = 0; layer < most_layers; ++layer) {
        const Hit hit = stage.trace_glass(direction, near, far);
        if (hit.body == Body::none) break;
        add_layer(glass, scene.meshes[hit.mesh], hit, direction);
        // Far enough not to meet the same face again, and faces that lie on it.
        near = hit.distance * (1 + 1e-5f);
    }
    return glass;
}

}  // namespace spindrift::render
