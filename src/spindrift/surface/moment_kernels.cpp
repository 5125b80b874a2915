#include "spindrift/surface/moment_kernels.h"

#include "spindrift/core/simd.h"

namespace spindrift::surface::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

struct Offset {
    F8 x, y, z, q2;  ///< from the points; q = r / R
};

struct Lanes {
    F8 x, y, z, per_radius2;

    SPINDRIFT_INLINE Lanes(const Points8& p, float radius)
        : x(load(p.x)), y(load(p.y)), z(load(p.z)), per_radius2(1 / (radius * radius)) {}

    SPINDRIFT_INLINE Offset to(const Float4& particle) const {
        const F8 dx = broadcast(&particle.x) - x, dy = broadcast(&particle.y) - y, dz = broadcast(&particle.z) - z;
        return {dx, dy, dz, fmadd(dx, dx, fmadd(dy, dy, dz * dz)) * per_radius2};
    }
};

SPINDRIFT_INLINE void add_to(float* sum, F8 a) {
    store(sum, load(sum) + a);
}

/// How far outside of an interval.
SPINDRIFT_INLINE F8 outside(F8 a, float lo, float hi) {
    return max(max(F8(lo) - a, a - F8(hi)), F8(0.f));
}

std::size_t cull(const Float4* x, Run run, const Box3f& box, float radius, std::uint32_t* out) {
    const F8 radius2(radius * radius);
    std::size_t count = 0;
    for (std::uint32_t j = run.first; j < run.last; j += 8) {
        const int lanes = run.last - j < 8 ? static_cast<int>(run.last - j) : 8;
        const F8x4 p = load_groups(&x[j].x, lanes);
        const F8 dx = outside(p.x, box.lo.x, box.hi.x), dy = outside(p.y, box.lo.y, box.hi.y);
        const F8 dz = outside(p.z, box.lo.z, box.hi.z);
        const int near = mask(fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < radius2);
        count += append_set(out + count, j, near & ((1 << lanes) - 1));
    }
    return count;
}

void add_centers(const Float4* x, IndexList near, const Points8& points, float radius, Sums8& out) {
    const Lanes lanes(points, radius);
    const F8 zero(0.f), one(1.f);
    F8 w = zero, sx = zero, sy = zero, sz = zero;
    for (const std::uint32_t j : near) {
        const Offset o = lanes.to(x[j]);
        const F8 a = max(one - o.q2, zero);
        const F8 weight = a * a * a;
        w = w + weight;
        sx = fmadd(weight, o.x, sx);
        sy = fmadd(weight, o.y, sy);
        sz = fmadd(weight, o.z, sz);
    }
    add_to(out.w, w);
    add_to(out.x, sx);
    add_to(out.y, sy);
    add_to(out.z, sz);
}

void add_moments(const Float4* x, IndexList near, const Points8& points, float radius, Moments8& out) {
    const Lanes lanes(points, radius);
    const F8 zero(0.f), one(1.f);
    F8 w = zero, sx = zero, sy = zero, sz = zero, count = zero;
    F8 xx = zero, xy = zero, xz = zero, yy = zero, yz = zero, zz = zero;
    for (const std::uint32_t j : near) {
        const Offset o = lanes.to(x[j]);
        const F8 weight = max(one - o.q2 * sqrt(o.q2), zero);
        count = count + select(o.q2 < one, one, zero);
        w = w + weight;
        const F8 wx = weight * o.x, wy = weight * o.y, wz = weight * o.z;
        sx = sx + wx;
        sy = sy + wy;
        sz = sz + wz;
        xx = fmadd(wx, o.x, xx);
        xy = fmadd(wx, o.y, xy);
        xz = fmadd(wx, o.z, xz);
        yy = fmadd(wy, o.y, yy);
        yz = fmadd(wy, o.z, yz);
        zz = fmadd(wz, o.z, zz);
    }
    add_to(out.first.w, w);
    add_to(out.first.x, sx);
    add_to(out.first.y, sy);
    add_to(out.first.z, sz);
    const F8 second[6] = {xx, xy, xz, yy, yz, zz};
    for (int k = 0; k < 6; ++k)
        add_to(out.second[k], second[k]);
    add_to(out.count, count);
}

}  // namespace

MomentKernels moment_kernels() {
    return {.cull = cull, .add_centers = add_centers, .add_moments = add_moments};
}

}  // namespace spindrift::surface::SPINDRIFT_ISA_NAMESPACE
