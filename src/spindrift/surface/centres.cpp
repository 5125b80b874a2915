#include "spindrift/surface/centres.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/surface/calibrate.h"

namespace spindrift::surface {

namespace {

/// Steps of a stored centre in a reach.
constexpr float centre_steps = 32767;

/// Steps of a stored sum of weights in 1, which is that of liquid.
constexpr float weight_steps = 0x4000;
constexpr std::uint16_t liquid_weight = 0x4000;

}  // namespace

void Centres::begin(const Scale& scale) {
    reach_ = scale.reach;
    unit_ = static_cast<float>(scale.unit);
    points_per_unit_ = static_cast<float>(scale.unit / lattice_.voxel);
    weights_.resize(leaf_points * lattice_.leaves.size());
    std::size_t total = 0;
    for (const std::uint32_t blocks : band_.blocks) {
        first_block_.push_back(static_cast<std::uint32_t>(total));
        total += static_cast<std::size_t>(std::popcount(blocks));
    }
    centres_.resize(total);
}

BlockCentres& Centres::centres(std::size_t leaf, int block) {
    const std::uint32_t before = band_.blocks[leaf] & ((1u << block) - 1);
    return centres_[first_block_[leaf] + static_cast<std::size_t>(std::popcount(before))];
}

void Centres::fill(std::size_t leaf) {
    const float* phi = &lattice_.phi[leaf_points * leaf];
    std::uint16_t* w = &weights_[leaf_points * leaf];
    for (std::size_t k = 0; k < leaf_points; ++k)
        w[k] = phi[k] < 0 ? liquid_weight : 0;
}

void Centres::clear(std::size_t leaf, int block) {
    for (int k = 0; k < 16; ++k)
        weights_[leaf_points * leaf + static_cast<std::size_t>(point_of(block, k))] = 0;
}

float Centres::weight(std::size_t point) const {
    return static_cast<float>(weights_[point]) / weight_steps;
}

void Centres::keep(std::size_t leaf, int block, const BlockTotals& sum) {
    BlockCentres& out = centres(leaf, block);
    const float per_reach = centre_steps / reach_;
    for (int k = 0; k < 16; ++k) {
        out.x[k] = static_cast<std::int16_t>(sum.x[k] * per_reach);
        out.y[k] = static_cast<std::int16_t>(sum.y[k] * per_reach);
        out.z[k] = static_cast<std::int16_t>(sum.z[k] * per_reach);
        const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_of(block, k));
        lattice_.phi[at] = sum.level[k] * unit_;
        weights_[at] = static_cast<std::uint16_t>(std::min(sum.w[k], 3.f) * weight_steps);
    }
}

void Centres::finish(std::size_t leaf, int block) {
    const BlockCentres& in = centres(leaf, block);
    const float per_step = reach_ / centre_steps;
    const auto voxel = static_cast<float>(lattice_.voxel);
    for (int k = 0; k < 16; ++k) {
        const Vec3i point = block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3};
        float& phi = lattice_.phi[leaf_points * leaf + static_cast<std::size_t>(point_index(point))];
        const float level = phi;
        if (level == 0) {
            phi = reach_ * unit_;
            continue;
        }
        const Vec3f way = Vec3f{float(in.x[k]), float(in.y[k]), float(in.z[k])} * per_step;
        const float distance = length(way) * unit_;
        // The decay is at most 1: far enough outside it changes nothing that is seen.
        phi = distance - level;
        if (phi > voxel) continue;
        const Vec3f steps = way * points_per_unit_;
        // Centres lie where particles are: beside liquid that is dense already there is nothing to look up.
        const std::size_t at = leaf_points * leaf + static_cast<std::size_t>(point_index(point));
        const float own = weight(at);
        const bool plain = own >= 1 || dot(steps, steps) < 0.25f;
        const float w = plain ? own : weight_at(leaf, vec_cast<float>(point) + steps);
        phi = distance - level * decay(w);
    }
}

/// The summed weights at a place, in points from the leaf's first, by interpolation.
float Centres::weight_at(std::size_t leaf, Vec3f p) const {
    const Vec3i lo{neighbors::floor_to_int(p.x), neighbors::floor_to_int(p.y), neighbors::floor_to_int(p.z)};
    const Vec3f t = p - vec_cast<float>(lo);
    float corner[8];
    const bool own = lo.x >= 0 && lo.y >= 0 && lo.z >= 0 && lo.x < 7 && lo.y < 7 && lo.z < 7;
    if (own) {
        const std::uint16_t* w = &weights_[leaf_points * leaf + static_cast<std::size_t>(point_index(lo))];
        for (int k = 0; k < 8; ++k)
            corner[k] = static_cast<float>(w[(k & 1) + (k >> 1 & 1) * 8 + (k >> 2) * 64]);
    } else {
        for (int k = 0; k < 8; ++k)
            corner[k] = static_cast<float>(weight_of(leaf, lo + Vec3i{k & 1, k >> 1 & 1, k >> 2}));
    }
    const auto mix = [](float a, float b, float s) { return a + (b - a) * s; };
    const float low = mix(mix(corner[0], corner[1], t.x), mix(corner[2], corner[3], t.x), t.y);
    const float high = mix(mix(corner[4], corner[5], t.x), mix(corner[6], corner[7], t.x), t.y);
    return mix(low, high, t.z) / weight_steps;
}

/// Particles' centres are near; where the lattice has no leaf near them, there is only liquid.
std::uint16_t Centres::weight_of(std::size_t leaf, Vec3i point) const {
    const Vec3i step{point.x >> 3, point.y >> 3, point.z >> 3};
    if (std::abs(step.x) > 1 || std::abs(step.y) > 1 || std::abs(step.z) > 1) return liquid_weight;
    const int side = 13 + step.x + 3 * step.y + 9 * step.z;
    const std::int32_t other = lattice_.neighbors[27 * leaf + static_cast<std::size_t>(side)];
    if (other < 0) return liquid_weight;
    const Vec3i in{point.x & 7, point.y & 7, point.z & 7};
    return weights_[leaf_points * static_cast<std::size_t>(other) + static_cast<std::size_t>(point_index(in))];
}

}  // namespace spindrift::surface
