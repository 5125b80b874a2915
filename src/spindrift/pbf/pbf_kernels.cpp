// Source: Macklin and Mueller 2013; Alduan et al. 2017, Eq. 3 to 8; walls: docs/decisions/0005.
// Equations: C_i = s sum_j (1 - r^2)^3 + gamma B(x_i) - 1, w_i ~ max(C_i, 0),
//   dx_i = sum_j (w_i + w_j + g max(0, 1 - r - 0.55)^2) (1 - r)^2 x_ij / r  -  w_i grad B(x_i),
//   v_i += c s sum_j (1 - r^2)^3 (v_j - v_i).
// Differs: one multiplier per particle carries stiffness and kernel factors, so the loop only adds. The tensile term of
//   Eq. 9 at kappa = 0 is a cheaper polynomial g that acts below 0.9 spacings only, between pairs and off walls.
// Symbols: B share of the support behind walls, F and A its value and slope for a half-space at distance s.

#include "spindrift/core/simd.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;
using neighbors::Cluster;

SPINDRIFT_INLINE F8 clamp(F8 a, float lo, float hi) {
    return min(max(a, F8(lo)), F8(hi));
}

/// Share of the poly6 support beyond a plane at distance s.
SPINDRIFT_INLINE F8 half_space_share(F8 distance) {
    const F8 s = clamp(distance, -1, 1), s2 = s * s;
    F8 p = fmadd(s2, F8(1.f / 9), F8(-4.f / 7));
    p = fmadd(s2, p, F8(6.f / 5));
    p = fmadd(s2, p, F8(-4.f / 3));
    p = fmadd(s2, p, F8(1.f));
    return fnmadd(F8(315.f / 256) * s, p, F8(0.5f));
}

/// Integral of the spiky kernel over a plane at distance s: the push of a half-space, consistent with the pair term.
SPINDRIFT_INLINE F8 half_space_push(F8 distance) {
    const F8 u = F8(1.f) - min(max(distance, F8(0.f) - distance), F8(1.f));
    const F8 u2 = u * u;
    return F8(30.f) * u2 * u2 * fnmadd(F8(0.2f), u, F8(0.25f));
}

/// Pairs closer than 0.9 spacings are pushed apart beyond what density asks for: 1 - r there.
constexpr float separation_start = 0.55f;

struct Boundary {
    F8 share, x, y, z;  ///< share of the support behind walls and the direction it pushes, |grad| long
    F8 sx, sy, sz;      ///< push away from faces nearer than half a spacing, as if a mirror image stood behind them
};

/// The separation term of a pair, seen from a particle and its mirror image behind a wall at distance s.
/// Nothing from behind the wall, where another face is nearer.
SPINDRIFT_INLINE F8 mirror_push(F8 distance) {
    const F8 t = min(fnmadd(F8(2.f), distance, F8(1.f)), F8(1.f));
    const F8 close = max(t - F8(separation_start), F8(0.f));
    return select(distance < F8(0.f), F8(0.f), close * close * t * t);
}

/// Share of one axis of a box, and its derivative.
SPINDRIFT_INLINE void box_axis(F8 x, float lo, float hi, F8& share, F8& slope) {
    const F8 from_lo = x - F8(lo), to_hi = F8(hi) - x;
    share = F8(1.f) - half_space_share(from_lo) - half_space_share(to_hi);
    slope = half_space_push(from_lo) - half_space_push(to_hi);
}

/// Push off the two faces of an axis, from inside for the domain, from outside for a solid.
SPINDRIFT_INLINE F8 axis_separation(F8 x, float lo, float hi, bool solid) {
    const F8 from_lo = x - F8(lo), to_hi = F8(hi) - x;
    if (!solid) return mirror_push(from_lo) - mirror_push(to_hi);
    return mirror_push(F8(0.f) - to_hi) - mirror_push(F8(0.f) - from_lo);
}

/// The inside of a box fills the product of its axes' shares: exact for faces, close at edges, thin boxes included.
SPINDRIFT_INLINE void add_box(const collision::WallBox& box, const F8x4& p, Boundary& b) {
    F8 bx, by, bz, gx, gy, gz;
    box_axis(p.x, box.lo[0], box.hi[0], bx, gx);
    box_axis(p.y, box.lo[1], box.hi[1], by, gy);
    box_axis(p.z, box.lo[2], box.hi[2], bz, gz);
    const F8 inside = bx * by * bz;
    const F8 sign(box.solid ? -1.f : 1.f);
    b.share = b.share + (box.solid ? inside : F8(1.f) - inside);
    b.x = fmadd(sign * gx, by * bz, b.x);
    b.y = fmadd(sign * gy, bx * bz, b.y);
    b.z = fmadd(sign * gz, bx * by, b.z);
    b.sx = fmadd(axis_separation(p.x, box.lo[0], box.hi[0], box.solid), by * bz, b.sx);
    b.sy = fmadd(axis_separation(p.y, box.lo[1], box.hi[1], box.solid), bx * bz, b.sy);
    b.sz = fmadd(axis_separation(p.z, box.lo[2], box.hi[2], box.solid), bx * by, b.sz);
}

SPINDRIFT_INLINE void add_plane(const collision::WallPlane& plane, const F8x4& p, Boundary& b) {
    const F8 nx(plane.normal[0]), ny(plane.normal[1]), nz(plane.normal[2]);
    const F8 s = fmadd(nx, p.x, fmadd(ny, p.y, nz * p.z)) - F8(plane.offset);
    const F8 push = half_space_push(s);
    b.share = b.share + half_space_share(s);
    b.x = fmadd(push, nx, b.x);
    b.y = fmadd(push, ny, b.y);
    b.z = fmadd(push, nz, b.z);
    const F8 apart = mirror_push(s);
    b.sx = fmadd(apart, nx, b.sx);
    b.sy = fmadd(apart, ny, b.sy);
    b.sz = fmadd(apart, nz, b.sz);
}

Boundary boundary(const WallView& walls, const F8x4& p) {
    const F8 zero(0.f);
    Boundary b{zero, zero, zero, zero, zero, zero, zero};
    for (std::uint32_t k = 0; k < walls.box_count; ++k)
        add_box(walls.boxes[k], p, b);
    for (std::uint32_t k = 0; k < walls.plane_count; ++k)
        add_plane(walls.planes[k], p, b);
    b.share = min(b.share, F8(1.f));
    return b;
}

SPINDRIFT_INLINE void keep_inside(const collision::WallBox& box, F8x4& p) {
    constexpr float gap = collision::contact_gap;
    p.x = clamp(p.x, box.lo[0] + gap, box.hi[0] - gap);
    p.y = clamp(p.y, box.lo[1] + gap, box.hi[1] - gap);
    p.z = clamp(p.z, box.lo[2] + gap, box.hi[2] - gap);
}

/// Out of a solid box through the nearest face.
SPINDRIFT_INLINE void keep_outside(const collision::WallBox& box, F8x4& p) {
    constexpr float gap = collision::contact_gap;
    const F8 zero(0.f);
    F8* coordinate[3] = {&p.x, &p.y, &p.z};
    F8 depth(1e30f), target[3], axis_depth[3];
    for (int a = 0; a < 3; ++a) {
        const F8 below = *coordinate[a] - F8(box.lo[a] - gap), above = F8(box.hi[a] + gap) - *coordinate[a];
        target[a] = select(below < above, F8(box.lo[a] - gap), F8(box.hi[a] + gap));
        axis_depth[a] = min(below, above);
        depth = min(depth, axis_depth[a]);
    }
    // Inside means a positive depth on every axis; only the shallowest axis moves.
    F8 pending = zero < depth;
    for (int a = 0; a < 3; ++a) {
        const F8 shallowest = select(depth < axis_depth[a], zero, pending);
        *coordinate[a] = select(shallowest, target[a], *coordinate[a]);
        pending = select(shallowest, zero, pending);
    }
}

SPINDRIFT_INLINE void keep_above(const collision::WallPlane& plane, F8x4& p) {
    const F8 nx(plane.normal[0]), ny(plane.normal[1]), nz(plane.normal[2]);
    const F8 s = fmadd(nx, p.x, fmadd(ny, p.y, nz * p.z)) - F8(plane.offset);
    const F8 depth = max(F8(collision::contact_gap) - s, F8(0.f));
    p.x = fmadd(depth, nx, p.x);
    p.y = fmadd(depth, ny, p.y);
    p.z = fmadd(depth, nz, p.z);
}

void keep_out_of_walls(const WallView& walls, F8x4& p) {
    for (std::uint32_t k = 0; k < walls.plane_count; ++k)
        keep_above(walls.planes[k], p);
    for (std::uint32_t k = 0; k < walls.box_count; ++k) {
        if (walls.boxes[k].solid) keep_outside(walls.boxes[k], p);
    }
    for (std::uint32_t k = 0; k < walls.box_count; ++k) {
        if (!walls.boxes[k].solid) keep_inside(walls.boxes[k], p);
    }
}

SPINDRIFT_INLINE F8 one_minus_r2(const F8x4& i, const float* j) {
    const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
    return max(fnmadd(dx, dx, fnmadd(dy, dy, fnmadd(dz, dz, F8(1.f)))), F8(0.f));
}

/// Sum of (1 - r^2)^3 over the list. Four sums, so that additions do not wait for each other.
SPINDRIFT_INLINE F8 poly6_sum(const F8x4& i, const Float4* x, const std::uint32_t* list, std::uint32_t size) {
    F8 s0(0.f), s1(0.f), s2(0.f), s3(0.f);
    for (std::uint32_t k = 0; k < size; k += 4) {
        const F8 t0 = one_minus_r2(i, &x[list[k]].x), t1 = one_minus_r2(i, &x[list[k + 1]].x);
        const F8 t2 = one_minus_r2(i, &x[list[k + 2]].x), t3 = one_minus_r2(i, &x[list[k + 3]].x);
        s0 = fmadd(t0 * t0, t0, s0);
        s1 = fmadd(t1 * t1, t1, s1);
        s2 = fmadd(t2 * t2, t2, s2);
        s3 = fmadd(t3 * t3, t3, s3);
    }
    return (s0 + s1) + (s2 + s3);
}

DensitySums density(const DensityPass& pass, std::uint32_t first, std::uint32_t last) {
    DensitySums sums;
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const F8x4 i = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
        const F8 sum = poly6_sum(i, pass.x, pass.lists.list(c), c.list_size);
        F8 constraint = fmadd(sum, F8(pass.density_scale), F8(-1.f));
        if (c.near_wall) constraint = fmadd(F8(pass.wall_gain), boundary(pass.walls, i).share, constraint);

        // A compressed spot has more neighbours and answers more stiffly; the square keeps the iteration stable there.
        const F8 packed = F8(1.f) + max(constraint, F8(0.f));
        const F8 error = max(constraint, F8(0.f)) / (packed * packed);
        alignas(32) float c_lane[8], w_lane[8];
        store(c_lane, constraint);
        store(w_lane, error * F8(pass.multiplier));
        float cluster_error = 0;
        for (std::uint32_t lane = 0; lane < c.count; ++lane) {
            pass.x[c.first + lane].w = w_lane[lane];
            cluster_error += c_lane[lane] > 0 ? c_lane[lane] : 0;
            sums.largest_error = c_lane[lane] > sums.largest_error ? c_lane[lane] : sums.largest_error;
            if (pass.constraint) pass.constraint[c.first + lane] = c_lane[lane];
        }
        sums.error += cluster_error;
    }
    return sums;
}

struct Correction {
    F8 x, y, z;
};

/// The separation term as a square: (slope (1 - r) + offset)^2 where positive.
struct Separation {
    F8 slope, offset;

    SPINDRIFT_INLINE explicit Separation(float strength) {
        const float root = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(strength)));
        slope = F8(root);
        offset = F8(-root * separation_start);
    }
};

template <bool separate>
SPINDRIFT_INLINE void add_pair(const F8x4& i, const float* j, const Separation& separation, Correction& sum) {
    const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
    // A tiny distance keeps 1/r finite for the particle itself, whose dx is zero anyway.
    const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(1e-12f))));
    const F8 inverse = rsqrt(r2);
    const F8 t = max(fnmadd(r2, inverse, F8(1.f)), F8(0.f));
    F8 strength = i.w + broadcast(j + 3);
    if constexpr (separate) {
        const F8 close = max(fmadd(t, separation.slope, separation.offset), F8(0.f));
        strength = fmadd(close, close, strength);
    }
    const F8 factor = strength * t * (t * inverse);
    sum.x = fmadd(factor, dx, sum.x);
    sum.y = fmadd(factor, dy, sum.y);
    sum.z = fmadd(factor, dz, sum.z);
}

template <bool separate>
SPINDRIFT_INLINE Correction pair_corrections(const F8x4& i, const Float4* x, const std::uint32_t* list,
                                             std::uint32_t size, const Separation& separation) {
    // One sum: a pair takes longer than an addition, and a second one would not fit the registers.
    Correction sum{F8(0.f), F8(0.f), F8(0.f)};
    for (std::uint32_t k = 0; k < size; k += 2) {
        add_pair<separate>(i, &x[list[k]].x, separation, sum);
        add_pair<separate>(i, &x[list[k + 1]].x, separation, sum);
    }
    return sum;
}

/// The walls' push, and no more than largest_move in all: beside a wall nothing else balances a wild correction.
SPINDRIFT_INLINE void correct_at_walls(const CorrectionPass& pass, const F8x4& i, Correction& move) {
    const Boundary b = boundary(pass.walls, i);
    const F8 push = i.w * F8(pass.wall_multiplier);
    const F8 separation(pass.wall_separation);
    move.x = fmadd(push, b.x, fmadd(separation, b.sx, move.x));
    move.y = fmadd(push, b.y, fmadd(separation, b.sy, move.y));
    move.z = fmadd(push, b.z, fmadd(separation, b.sz, move.z));
    const F8 squared = fmadd(move.x, move.x, fmadd(move.y, move.y, fmadd(move.z, move.z, F8(1e-20f))));
    const F8 scale = min(F8(1.f), F8(pass.largest_move) / sqrt(squared));
    move = {move.x * scale, move.y * scale, move.z * scale};
}

template <bool separate>
void correct_clusters(const CorrectionPass& pass, std::uint32_t first, std::uint32_t last) {
    const Separation separation(pass.separation);
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        const F8x4 i = load_groups(&pass.x[c.first].x, count);
        Correction move = pair_corrections<separate>(i, pass.x, pass.lists.list(c), c.list_size, separation);
        if (c.near_wall) correct_at_walls(pass, i, move);

        F8x4 next{i.x + move.x, i.y + move.y, i.z + move.z, F8(0.f)};
        if (pass.omega != 1) {
            const F8x4 before = load_groups(&pass.x_before[c.first].x, count);
            const F8 omega(pass.omega);
            next.x = fmadd(omega, next.x - before.x, before.x);
            next.y = fmadd(omega, next.y - before.y, before.y);
            next.z = fmadd(omega, next.z - before.z, before.z);
        }
        if (c.near_wall) keep_out_of_walls(pass.walls, next);
        store_groups(&pass.x_next[c.first].x, count, next);
    }
}

void correct(const CorrectionPass& pass, std::uint32_t first, std::uint32_t last) {
    pass.separation > 0 ? correct_clusters<true>(pass, first, last) : correct_clusters<false>(pass, first, last);
}

void viscosity(const ViscosityPass& pass, std::uint32_t first, std::uint32_t last) {
    const F8 scale(pass.density_scale * pass.coefficient);
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        const F8x4 i = load_groups(&pass.x[c.first].x, count);
        F8x4 v = load_groups(&pass.v[c.first].x, count);
        const std::uint32_t* list = pass.lists.list(c);
        Correction change{F8(0.f), F8(0.f), F8(0.f)};
        for (std::uint32_t k = 0; k < c.list_size; ++k) {
            const float* v_j = &pass.v[list[k]].x;
            const F8 t = one_minus_r2(i, &pass.x[list[k]].x), weight = t * t * t;
            change.x = fmadd(weight, broadcast(v_j) - v.x, change.x);
            change.y = fmadd(weight, broadcast(v_j + 1) - v.y, change.y);
            change.z = fmadd(weight, broadcast(v_j + 2) - v.z, change.z);
        }
        v.x = fmadd(scale, change.x, v.x);
        v.y = fmadd(scale, change.y, v.y);
        v.z = fmadd(scale, change.z, v.z);
        store_groups(&pass.v_next[c.first].x, count, v);
    }
}

std::uint64_t count_pairs(const neighbors::ListView& lists, const Float4* x, std::uint32_t first, std::uint32_t last) {
    std::uint64_t pairs = 0;
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = lists.clusters[n];
        const F8x4 i = load_groups(&x[c.first].x, static_cast<int>(c.count));
        const std::uint32_t* list = lists.list(c);
        const int lanes = (1 << c.count) - 1;
        for (std::uint32_t k = 0; k < c.list_size; ++k) {
            const int near = mask(F8(0.f) < one_minus_r2(i, &x[list[k]].x)) & lanes;
            pairs += static_cast<std::uint64_t>(__builtin_popcount(static_cast<unsigned>(near)));
        }
        pairs -= c.count;
    }
    return pairs;
}

}  // namespace

Kernels kernels() {
    return {density, correct, viscosity, count_pairs};
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
