#include "spindrift/whitewater/around_kernels.h"

#include "spindrift/core/simd.h"

namespace spindrift::whitewater::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

SPINDRIFT_INLINE void add_to(float* sum, F8 a) {
    store(sum, load(sum) + a);
}

struct Sums {
    F8 density{0.f}, weight{0.f}, difference{0.f}, count{0.f};
    F8 side_x{0.f}, side_y{0.f}, side_z{0.f}, turn_x{0.f}, turn_y{0.f}, turn_z{0.f};

    void add_to_all(Around8& out) const {
        add_to(out.density, density);
        add_to(out.weight, weight);
        add_to(out.difference, difference);
        add_to(out.count, count);
        add_to(out.side[0], side_x), add_to(out.side[1], side_y), add_to(out.side[2], side_z);
        add_to(out.turn[0], turn_x), add_to(out.turn[1], turn_y), add_to(out.turn[2], turn_z);
    }
};

/// The eight particles, in units of h.
struct Lanes {
    F8 x, y, z, vx, vy, vz;
    F8 per_h, volume;

    SPINDRIFT_INLINE void meet(const Float4& other, const Float4& v, Sums& sums) const {
        const F8 zero(0.f), one(1.f);
        const F8 dx = (x - broadcast(&other.x)) * per_h, dy = (y - broadcast(&other.y)) * per_h,
                 dz = (z - broadcast(&other.z)) * per_h;
        const F8 squared = fmadd(dx, dx, fmadd(dy, dy, dz * dz)), near = squared < one;
        if (mask(near) == 0) return;
        // The particle itself, and what lies on it, has no direction.
        const F8 counted = select(F8(1e-12f) < squared, select(near, one, zero), zero);
        const F8 q = sqrt(max(squared, F8(1e-12f))), per_q = one / q, rest = one - squared;
        const F8 share = counted * volume, w = (one - q) * share;
        const F8 ux = vx - broadcast(&v.x), uy = vy - broadcast(&v.y), uz = vz - broadcast(&v.z);
        const F8 ex = dx * per_q, ey = dy * per_q, ez = dz * per_q;
        const F8 speed = sqrt(fmadd(ux, ux, fmadd(uy, uy, uz * uz)));
        sums.density = fmadd(rest * rest * rest, share, sums.density);
        sums.weight = sums.weight + w;
        sums.difference = fmadd(w, speed - fmadd(ux, ex, fmadd(uy, ey, uz * ez)), sums.difference);
        sums.count = sums.count + counted;
        sums.side_x = fmadd(w, ex, sums.side_x);
        sums.side_y = fmadd(w, ey, sums.side_y);
        sums.side_z = fmadd(w, ez, sums.side_z);
        const F8 turning = w * per_q;
        sums.turn_x = fmadd(turning, ey * uz - ez * uy, sums.turn_x);
        sums.turn_y = fmadd(turning, ez * ux - ex * uz, sums.turn_y);
        sums.turn_z = fmadd(turning, ex * uy - ey * ux, sums.turn_z);
    }
};

void add(const Float4* x, const Float4* v, std::span<const NearRun> runs, const Eight& eight, Reach reach,
         Around8& out) {
    const Lanes lanes{load(eight.x),  load(eight.y),  load(eight.z),   load(eight.vx),
                      load(eight.vy), load(eight.vz), F8(1 / reach.h), F8(reach.volume)};
    Sums sums;
    for (const NearRun run : runs) {
        for (std::uint32_t j = run.first; j < run.last; ++j)
            lanes.meet(x[j], v[j], sums);
    }
    sums.add_to_all(out);
}

}  // namespace

AroundKernels around_kernels() {
    return {.add = add};
}

}  // namespace spindrift::whitewater::SPINDRIFT_ISA_NAMESPACE
