// Diffusion of velocities, and their curl.
//
// Source: Alduan et al. 2017, Eq. 8; see viscosity.h.
// Equations: v_i += sum_j V_j 2 rho_j / (rho_i + rho_j) min(c_i, c_j) W_ij (v_j - v_i).

#include "spindrift/pbf/pair_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// What of the difference in velocity of a pair diffuses: all of it, or the part along their connection.
template <bool central>
SPINDRIFT_INLINE void add_diffusion(const F8x4& i, const F8x4& v, const float* x_j, const float* v_j, F8 h2, F8 weight,
                                    Correction& sum) {
    const F8 dx = i.x - broadcast(x_j), dy = i.y - broadcast(x_j + 1), dz = i.z - broadcast(x_j + 2);
    const F8 vx = broadcast(v_j) - v.x, vy = broadcast(v_j + 1) - v.y, vz = broadcast(v_j + 2) - v.z;
    const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, dz * dz));
    const F8 t = max(h2 - r2, F8(0.f));
    const F8 factor = weight * t * (t * t);
    if constexpr (central) {
        const F8 inverse = rsqrt(r2 + F8(1e-12f));
        const F8 along = factor * inverse * inverse * fmadd(vx, dx, fmadd(vy, dy, vz * dz));
        sum.x = fmadd(along, dx, sum.x);
        sum.y = fmadd(along, dy, sum.y);
        sum.z = fmadd(along, dz, sum.z);
    } else {
        sum.x = fmadd(factor, vx, sum.x);
        sum.y = fmadd(factor, vy, sum.y);
        sum.z = fmadd(factor, vz, sum.z);
    }
}

template <bool central>
SPINDRIFT_INLINE Correction diffusion(const ViscosityPass& pass, const Cluster& c, const F8x4& i, const F8x4& v) {
    const LiquidScale& own = pass.fluid.of(c.first);
    const float* coefficients = pass.coefficient + own.resolution * neighbors::most_resolutions;
    const PairScale* pairs = pass.fluid.pairs_of(own);
    Correction total{F8(0.f), F8(0.f), F8(0.f)};
    for_each_segment(
        pass.lists, pass.fluid, c, [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
            Correction sum{F8(0.f), F8(0.f), F8(0.f)};
            const F8 h2(scale.h2);
            if (c.mixed) {
                const F8 viscosity_i = of_cluster(pass.viscosity, c);
                const F8 lightness = of_cluster({1, pass.fluid.inverse_density}, c);
                for (std::uint32_t k = 0; k < size; ++k) {
                    const F8 viscosity = min(viscosity_i, of_particle(pass.viscosity, list[k]));
                    // 2 rho_j / (rho_i + rho_j)
                    const F8 share =
                        (lightness + lightness) / (lightness + of_particle({1, pass.fluid.inverse_density}, list[k]));
                    add_diffusion<central>(i, v, &pass.x[list[k]].x, &pass.v[list[k]].x, h2, viscosity * share, sum);
                }
            } else {
                for (std::uint32_t k = 0; k < size; ++k)
                    add_diffusion<central>(i, v, &pass.x[list[k]].x, &pass.v[list[k]].x, h2, F8(1.f), sum);
                const F8 viscosity(pass.viscosity[c.first]);
                sum = {sum.x * viscosity, sum.y * viscosity, sum.z * viscosity};
            }
            const F8 factor(pass.sign * coefficients[&scale - pairs]);
            total.x = fmadd(sum.x, factor, total.x);
            total.y = fmadd(sum.y, factor, total.y);
            total.z = fmadd(sum.z, factor, total.z);
        });
    return total;
}

/// Rough walls hold the liquid: they diffuse like liquid at rest that fills the support behind them.
SPINDRIFT_INLINE void add_wall_drag(const ViscosityPass& pass, const Cluster& c, const NearWalls& near, const F8x4& i,
                                    const F8x4& v, Correction& change) {
    const LiquidScale& own = pass.fluid.of(c.first);
    const Roughness rough =
        wall_roughness(pass.fluid.walls[own.resolution], near, in_radii(i, own.h), pass.fluid.contacts);
    const F8 drag = of_cluster(pass.wall_drag, c) * F8(pass.sign), motion(pass.wall_motion);
    change.x = fnmadd(drag, fnmadd(motion, rough.x, rough.share * v.x), change.x);
    change.y = fnmadd(drag, fnmadd(motion, rough.y, rough.share * v.y), change.y);
    change.z = fnmadd(drag, fnmadd(motion, rough.z, rough.share * v.z), change.z);
}

}  // namespace

void viscosity(const ViscosityPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        const F8x4 i = load_groups(&pass.x[c.first].x, count);
        F8x4 v = load_groups(&pass.v[c.first].x, count);
        Correction change = pass.central ? diffusion<true>(pass, c, i, v) : diffusion<false>(pass, c, i, v);
        if (const NearWalls near = near_walls(pass.fluid, c, n); near.any()) add_wall_drag(pass, c, near, i, v, change);
        v.x = v.x + change.x;
        v.y = v.y + change.y;
        v.z = v.z + change.z;
        store_groups(&pass.v_next[c.first].x, count, v);
    }
}

void vorticity(const VorticityPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        const F8x4 i = load_groups(&pass.x[c.first].x, count);
        const F8x4 v = load_groups(&pass.v[c.first].x, count);
        F8x4 curl{F8(0.f), F8(0.f), F8(0.f), F8(0.f)};
        for_each_segment(
            pass.lists, pass.fluid, c, [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                const F8 h(scale.h), factor(pass.scale * scale.correction);
                for (std::uint32_t k = 0; k < size; ++k) {
                    const float *x_j = &pass.x[list[k]].x, *v_j = &pass.v[list[k]].x;
                    const F8 dx = i.x - broadcast(x_j), dy = i.y - broadcast(x_j + 1), dz = i.z - broadcast(x_j + 2);
                    const F8 vx = v.x - broadcast(v_j), vy = v.y - broadcast(v_j + 1), vz = v.z - broadcast(v_j + 2);
                    const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(1e-12f))));
                    const F8 inverse = rsqrt(r2), u = max(fnmadd(r2, inverse, h), F8(0.f));
                    const F8 weight = factor * u * (u * inverse);
                    curl.x = fmadd(weight, fmadd(dy, vz, F8(0.f) - dz * vy), curl.x);
                    curl.y = fmadd(weight, fmadd(dz, vx, F8(0.f) - dx * vz), curl.y);
                    curl.z = fmadd(weight, fmadd(dx, vy, F8(0.f) - dy * vx), curl.z);
                }
            });
        alignas(32) float lanes[3][8];
        store(lanes[0], curl.x);
        store(lanes[1], curl.y);
        store(lanes[2], curl.z);
        for (std::uint32_t lane = 0; lane < c.count; ++lane)
            pass.vorticity[c.first + lane] = {lanes[0][lane], lanes[1][lane], lanes[2][lane]};
    }
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
