#include "spindrift/forces/curl_noise.h"

#include <cmath>
#include <numbers>

#include "spindrift/core/random.h"

namespace spindrift::forces {

namespace {

/// The longest that a sum of grad w_c x P_c with unit P_c can be in a cell, rounded up: the maximum over x and n of
/// sum |n x grad w_c| is 15 / (2 sqrt 2), along an axis through the middle of a face.
constexpr float longest = 5.3034f;

/// Uniform on the unit sphere.
Vec3d random_direction(std::uint64_t seed, std::uint64_t item, std::uint64_t draw) {
    const double z = 2.0 * uniform(hash_counter(seed, item, draw)) - 1;
    const double angle = 2 * std::numbers::pi * uniform(hash_counter(seed, item, draw + 1));
    const double r = std::sqrt(std::max(0.0, 1 - z * z));
    return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Any unit vector at right angles to a unit vector.
Vec3d perpendicular(Vec3d a) {
    return normalize(std::abs(a.x) < 0.6 ? cross(a, Vec3d{1, 0, 0}) : cross(a, Vec3d{0, 1, 0}));
}

/// Place along one axis: cell, weight of its far corner and the weight's slope.
struct Cell {
    std::uint32_t index;
    float w, slope;
};

Cell cell(float x) {
    // Out of range, or not a number, there is no cell; nothing that still moves in a scene is there.
    constexpr float farthest = 1e9f;
    x = x > -farthest ? std::min(x, farthest) : -farthest;
    int i = static_cast<int>(x);
    i -= static_cast<float>(i) > x;
    const float t = x - static_cast<float>(i);
    return {static_cast<std::uint32_t>(i), t * t * t * (t * (t * 6 - 15) + 10), 30 * t * t * (t - 1) * (t - 1)};
}

/// Factors of the hash of a corner along the three axes, odd, so that neighbours always differ before bits are mixed.
constexpr std::uint32_t factors[3] = {0x8da6b343u, 0xd8163841u, 0xcb1ab31fu};

/// Four floats in one register: a vector and nothing.
using Quad = float __attribute__((vector_size(16)));

Quad mix(Quad a, Quad b, float t) {
    return a + (b - a) * t;
}

}  // namespace

CurlNoise::CurlNoise(std::uint64_t seed, double turns) : seed_(static_cast<std::uint32_t>(hash_counter(seed, 0, 0))) {
    for (std::size_t j = 0; j < potential_.size(); ++j) {
        const Vec3d u = random_direction(seed, j, 1), w = perpendicular(u);
        const double rate = 0.5 + uniform(hash_counter(seed, j, 3));
        const double angle = 2 * std::numbers::pi * (uniform(hash_counter(seed, j, 4)) + rate * turns);
        const Vec3d p = u * std::cos(angle) + w * std::sin(angle);
        potential_[j] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 0};
    }
}

Vec3f CurlNoise::at(Vec3f x) const {
    const Cell cx = cell(x.x), cy = cell(x.y), cz = cell(x.z);
    const std::uint32_t hx = ((cx.index + base[0]) * factors[0]) ^ seed_,
                        hx1 = ((cx.index + base[0] + 1) * factors[0]) ^ seed_;
    const std::uint32_t hy = (cy.index + base[1]) * factors[1], hy1 = hy + factors[1];
    const std::uint32_t hz = (cz.index + base[2]) * factors[2], hz1 = hz + factors[2];
    const auto corner = [this](std::uint32_t h) {
        const Float4& p = potential_[((h ^ (h >> 15)) * 0x2c1b3c6du) >> 24];
        return Quad{p.x, p.y, p.z, p.w};
    };

    // Along x on the four edges, then along y on the two faces, then along z: value and slope side by side.
    Quad value[4], slope_x[4];
    const std::uint32_t edges[4] = {hy ^ hz, hy1 ^ hz, hy ^ hz1, hy1 ^ hz1};
    for (int e = 0; e < 4; ++e) {
        const Quad near = corner(hx ^ edges[e]), far = corner(hx1 ^ edges[e]);
        slope_x[e] = far - near;
        value[e] = near + slope_x[e] * cx.w;
    }
    const Quad dx = mix(mix(slope_x[0], slope_x[1], cy.w), mix(slope_x[2], slope_x[3], cy.w), cz.w) * cx.slope;
    const Quad dy = mix(value[1] - value[0], value[3] - value[2], cz.w) * cy.slope;
    const Quad dz = (mix(value[2], value[3], cy.w) - mix(value[0], value[1], cy.w)) * cz.slope;
    return Vec3f{dy[2] - dz[1], dz[0] - dx[2], dx[1] - dy[0]} * (1 / longest);
}

}  // namespace spindrift::forces
