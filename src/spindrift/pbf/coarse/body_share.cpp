#include "spindrift/pbf/coarse/body_share.h"

#include <algorithm>
#include <cmath>

#include "spindrift/pbf/coarse/coarse_blocks.h"

namespace spindrift::pbf {

namespace {

constexpr float node_spacing = CoarseBlocks::node_spacing;

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
        const Vec3f gradient = Vec3f{slope[i] * hat_weight[j] * hat_weight[m], hat_weight[i] * slope[j] * hat_weight[m],
                                     hat_weight[i] * hat_weight[j] * slope[m]} *
                               (free / node_spacing);
        all.gradient += gradient;
        all.moment += cross(at - node, gradient);
    }
    return all;
}

float flow_of(const collision::WallField& field, const BodyShare& share, Vec3f pivot, Vec3f node) {
    if (!field.moves()) return 0;
    if (field.deformation) return dot(share.gradient, field.velocity_at(node));
    return dot(share.gradient, field.velocity_at(pivot)) + dot(share.moment, field.spin);
}

BodyHats::BodyHats(const collision::WallField& field) {
    if (field.inside_count == 0) return;
    Box3f box{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    for (std::size_t k = 0; k < field.inside_count; ++k) {
        const Vec3f x = field.back(field.inside[k].xyz()) / node_spacing;
        box = {min(box.lo, x), max(box.hi, x)};
    }
    // No liquid is so far away that nodes there could not be counted.
    constexpr float farthest = 1 << 30;
    for (int a = 0; a < 3; ++a) {
        if (!(box.lo[a] > -farthest && box.hi[a] < farthest)) return;
    }
    const auto lowest = [](float a) { return static_cast<std::int32_t>(std::floor(a)); };
    first_ = {lowest(box.lo.x), lowest(box.lo.y), lowest(box.lo.z)};
    size_ = Vec3i{lowest(box.hi.x), lowest(box.hi.y), lowest(box.hi.z)} - first_ + Vec3i{2, 2, 2};
    sums_.assign(
        static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) * static_cast<std::size_t>(size_.z),
        Sums{});
    pivot_ = (box.lo + box.hi) * (0.5f * node_spacing);
    const float volume = field.cell * field.cell * field.cell;
    for (std::size_t k = 0; k < field.inside_count; ++k) {
        const Vec3f at = field.back(field.inside[k].xyz()), arm = at - pivot_;
        const Vec3f x = at / node_spacing - vec_cast<float>(first_);
        const Vec3i low{static_cast<std::int32_t>(x.x), static_cast<std::int32_t>(x.y), static_cast<std::int32_t>(x.z)};
        const Vec3f t = x - vec_cast<float>(low);
        const float w = field.inside[k].w * volume, slope = w / node_spacing;
        for (int c = 0; c < 8; ++c) {
            const int i = c & 1, j = c >> 1 & 1, m = c >> 2;
            const float hx = i ? t.x : 1 - t.x, hy = j ? t.y : 1 - t.y, hz = m ? t.z : 1 - t.z;
            const Vec3f gradient{(i ? slope : -slope) * hy * hz, (j ? slope : -slope) * hx * hz,
                                 (m ? slope : -slope) * hx * hy};
            Sums& sum = sums_[index(low + Vec3i{i, j, m})];
            sum.gradient += gradient;
            sum.moment += cross(arm, gradient);
            sum.hat += w * hx * hy * hz;
        }
    }
}

BodyShare BodyHats::at(Vec3i node) const {
    const Vec3i local = node - first_;
    const bool within =
        local.x >= 0 && local.y >= 0 && local.z >= 0 && local.x < size_.x && local.y < size_.y && local.z < size_.z;
    if (!within) return {.share = 1};
    const Sums& sum = sums_[index(local)];
    constexpr float support = node_spacing * node_spacing * node_spacing;
    return {1 - sum.hat / support, sum.gradient * (-1 / support), sum.moment * (-1 / support)};
}

}  // namespace spindrift::pbf
