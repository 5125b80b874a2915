#include "spindrift/pbf/body_share.h"

#include <algorithm>

#include "spindrift/pbf/coarse_projection.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseProjection::node_spacing;

/// Whether a point is in a box or below a plane.
bool is_in_plain(const collision::Walls& walls, Vec3f x) {
    const auto in_box = [&](const collision::WallBox& box) {
        bool inside = true;
        for (int a = 0; a < 3; ++a)
            inside = inside && x[a] > box.lo[a] && x[a] < box.hi[a];
        return inside == box.solid;
    };
    const auto below = [&](const collision::WallPlane& plane) {
        return dot(Vec3f{plane.normal[0], plane.normal[1], plane.normal[2]}, x) < plane.offset;
    };
    return std::any_of(walls.boxes.begin(), walls.boxes.end(), in_box) ||
           std::any_of(walls.planes.begin(), walls.planes.end(), below);
}

}  // namespace

/// How free a point is; the surface is as soft as the quadrature's points are apart.
float softly_free(const collision::WallField& field, Vec3f at) {
    constexpr float softness = 0.45f * node_spacing;
    return std::clamp(0.5f + field.distance_only(at) / softness, 0.f, 1.f);
}

BodyShare body_share(const collision::WallField& field, const ShareView& view, Vec3f node) {
    // Along an axis the gradient is constant on either side: weights of the same points that are right for that.
    constexpr float point[4] = {-0.6449490f, -0.1550510f, 0.1550510f, 0.6449490f};
    constexpr float hat_weight[4] = {0.1819586f, 0.3180414f, 0.3180414f, 0.1819586f};
    constexpr float slope[4] = {0.7041241f, 0.2958759f, -0.2958759f, -0.7041241f};
    BodyShare all;
    for (int k = 0; k < 64; ++k) {
        const int i = k & 3, j = k >> 2 & 3, m = k >> 4;
        const Vec3f at = node + Vec3f{point[i], point[j], point[m]} * node_spacing;
        float free = softly_free(field, at);
        if (view.from && free > 0 && !field.sees(*view.from, at)) free = 0;
        if (free < 1 && view.beside && is_in_plain(*view.beside, at)) free = 1;
        if (free == 0) continue;
        all.share += free * hat_weight[i] * hat_weight[j] * hat_weight[m];
        all.gradient += Vec3f{slope[i] * hat_weight[j] * hat_weight[m], hat_weight[i] * slope[j] * hat_weight[m],
                              hat_weight[i] * hat_weight[j] * slope[m]} *
                        (free / node_spacing);
    }
    return all;
}

}  // namespace spindrift::pbf
