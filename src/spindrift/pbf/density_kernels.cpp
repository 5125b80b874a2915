// Densities and the multipliers that follow from them.
//
// Source: Macklin and Mueller 2013; Alduan et al. 2017, Eq. 1 to 4; walls: docs/decisions/0005; where liquids and radii
//   meet: docs/decisions/0007.
// Equations: C_i = sum_j V_j W_ij + gamma B(x_i) - 1 with poly6 W of the larger radius, w_i = k_i max(C_i, 0) / V_i.
// Differs: one multiplier w per particle carries stiffness and kernel factors, so that the loop over pairs only adds.
// Symbols: B share of the support behind walls.

#include "spindrift/pbf/pair_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Sum of (h^2 - r^2)^3 over the list. Four sums, so that additions do not wait for each other.
SPINDRIFT_INLINE F8 poly6_sum(const F8x4& i, const Float4* x, const std::uint32_t* list, std::uint32_t size, F8 h2) {
    F8 s0(0.f), s1(0.f), s2(0.f), s3(0.f);
    for (std::uint32_t k = 0; k < size; k += 4) {
        const F8 t0 = inside(i, &x[list[k]].x, h2), t1 = inside(i, &x[list[k + 1]].x, h2);
        const F8 t2 = inside(i, &x[list[k + 2]].x, h2), t3 = inside(i, &x[list[k + 3]].x, h2);
        s0 = fmadd(t0 * t0, t0, s0);
        s1 = fmadd(t1 * t1, t1, s1);
        s2 = fmadd(t2 * t2, t2, s2);
        s3 = fmadd(t3 * t3, t3, s3);
    }
    return (s0 + s1) + (s2 + s3);
}

/// The share of a coarser class as the particle's own kernel would see it.
SPINDRIFT_INLINE F8 own_share(const ShareTable& table, F8 share) {
    alignas(32) float lane[8];
    store(lane, min(max(share, F8(0.f)), F8(1.f)) * F8(float{share_steps}));
    for (float& value : lane) {
        const int step = value < share_steps ? static_cast<int>(value) : share_steps - 1;
        const float t = value - static_cast<float>(step);
        value = table.value[step] + t * (table.value[step + 1] - table.value[step]);
    }
    return load(lane);
}

/// Neighbours of other classes, as shares of the rest density.
SPINDRIFT_INLINE F8 cross_shares(const DensityPass& pass, const Cluster& c, const F8x4& i) {
    const LiquidScale& own = pass.fluid.of(c.first);
    const PairScale* pairs = pass.fluid.pairs_of(own);
    F8 sum(0.f);
    neighbors::SegmentWalk walk = pass.lists.segments(c);
    for (neighbors::Segment segment{}; walk.next(segment);) {
        const PairScale& scale = pairs[segment.resolution];
        const F8 share = poly6_sum(i, pass.x, segment.list, segment.size, F8(scale.h2)) * F8(scale.density);
        const bool coarser = segment.resolution < own.resolution;
        sum = sum + (coarser ? own_share(pass.fluid.shares[&scale - pass.fluid.pairs], share) : share);
    }
    return sum;
}

}  // namespace

void density(const DensityPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t k = first; k < last; ++k) {
        const std::uint32_t n = pass.active ? pass.active[k] : k;
        const Cluster& c = pass.lists.clusters[n];
        const F8x4 i = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
        const LiquidScale& own = pass.fluid.of(c.first);
        const PairScale& scale = pass.fluid.pairs_of(own)[own.resolution];
        const F8 sum = poly6_sum(i, pass.x, pass.lists.list(c), c.list_size, F8(scale.h2));
        F8 constraint = fmadd(sum, F8(scale.density), F8(-1.f));
        if (c.crosses) constraint = constraint + cross_shares(pass, c, i);
        if (const NearWalls near = near_walls(pass.fluid, c, n); near.any()) {
            const Boundary b =
                boundary(pass.fluid.walls[own.resolution], near, in_radii(i, own.h), pass.fluid.contacts);
            constraint = fmadd(F8(pass.wall_gain), b.share, constraint);
        }

        // A compressed spot has more neighbours and answers more stiffly; the square keeps the iteration stable there.
        const F8 packed = F8(1.f) + max(constraint, F8(0.f));
        const F8 error = max(constraint, F8(0.f)) / (packed * packed);
        const F8 multiplier = pass.stiffness ? load(pass.stiffness + c.first) : F8(own.multiplier);
        alignas(32) float c_lane[8], w_lane[8];
        store(c_lane, constraint);
        store(w_lane, error * multiplier);
        float cluster_error = 0;
        for (std::uint32_t lane = 0; lane < c.count; ++lane) {
            pass.x[c.first + lane].w = w_lane[lane];
            cluster_error += c_lane[lane] > 0 ? c_lane[lane] : 0;
            if (pass.constraint) pass.constraint[c.first + lane] = c_lane[lane];
        }
        pass.errors[n] = cluster_error;
    }
}

namespace {

/// Sum of (h - r)^4 / rho_j, the particle itself left out.
template <bool dense>
SPINDRIFT_INLINE F8 weighted_squares(const StiffnessPass& pass, const F8x4& i, const std::uint32_t* list,
                                     std::uint32_t size, float h) {
    F8 sum(0.f);
    for (std::uint32_t k = 0; k < size; ++k) {
        const float* j = &pass.x[list[k]].x;
        const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
        const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(1e-12f))));
        const F8 u = max(fnmadd(r2, rsqrt(r2), F8(h)), F8(0.f));
        const F8 other = select(F8(1e-10f) < r2, u * u, F8(0.f));
        sum = fmadd(other * other, dense ? broadcast(pass.fluid.inverse_density + list[k]) : F8(1.f), sum);
    }
    return sum;
}

}  // namespace

void stiffness(const StiffnessPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        alignas(32) float ratio[8] = {};
        if (c.mixed) {
            const F8x4 i = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
            F8 sum(0.f);
            for_each_segment(pass.lists, pass.fluid, c,
                             [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                                 const F8 squares = pass.fluid.inverse_density
                                                        ? weighted_squares<true>(pass, i, list, size, scale.h)
                                                        : weighted_squares<false>(pass, i, list, size, scale.h);
                                 sum = fmadd(squares, F8(scale.stiffness), sum);
                             });
            store(ratio, sum);
        }
        for (std::uint32_t lane = 0; lane < c.count; ++lane) {
            const LiquidScale& own = pass.fluid.of(c.first + lane);
            const float density = pass.fluid.density ? pass.fluid.density[c.first + lane] : 1;
            const float weight = ratio[lane] * (own.stiffness * density);
            pass.stiffness[c.first + lane] = own.multiplier * density / (weight > 1 ? weight : 1);
        }
    }
}

std::uint64_t count_pairs(const neighbors::ListView& lists, const FluidView& fluid, const Float4* x,
                          std::uint32_t first, std::uint32_t last) {
    std::uint64_t pairs = 0;
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = lists.clusters[n];
        const F8x4 i = load_groups(&x[c.first].x, static_cast<int>(c.count));
        const int lanes = (1 << c.count) - 1;
        for_each_segment(lists, fluid, c, [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
            for (std::uint32_t k = 0; k < size; ++k) {
                const int near = mask(F8(0.f) < inside(i, &x[list[k]].x, F8(scale.h2))) & lanes;
                pairs += static_cast<std::uint64_t>(__builtin_popcount(static_cast<unsigned>(near)));
            }
        });
        pairs -= c.count;
    }
    return pairs;
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
