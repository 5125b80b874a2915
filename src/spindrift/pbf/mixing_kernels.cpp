// Exchange of components between pairs of particles.
//
// Source: Brookshaw 1985 and Cleary and Monaghan 1999, with the gradient of poly6; super-steps: Meyer et al. 2014;
//   docs/decisions/0030.
// Equations: dC_ki/dt = sum_j V_j s_ij 2F_ij f_kij, 2F = 12 k6 (h^2 - r^2)^2, s_ij = (1/S_i + 1/S_j) / 2,
//   S_i = max(0.3, sum_j V_j W_ij); f = D (C_kj - C_ki), and of components that spread unlike each other
//   f = D_k dC_k - C_k^up sum_l D_l dC_l, with C^up of the particle that the second term takes from.
// Differs: what a pair exchanges is rounded to share_quantum, so that both give and take the same bits and nothing is
// lost. Symbols: S share of its support that a particle sees filled, w weight of a pair in this pass.

#include "spindrift/pbf/exchange_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Less filled supports are spray: a particle that is nearly alone exchanges nothing faster than one in the liquid.
constexpr float least_share = 0.3f;

/// Eight particles and what they have.
template <int K>
struct Parcels {
    F8x4 x{}, wall{}, v{};
    F8 inverse{};
    F8 share[K]{};
};

/// The weight of a pair without what D is, and what eddies add to all D.
template <int K>
SPINDRIFT_INLINE F8 pair_weight(const MixingPass& pass, const Parcels<K>& i, std::uint32_t j, F8 h2, F8 coefficient,
                                bool beside_wall) {
    const F8 weight = exchange_weight(i.x, i.inverse, &pass.x[j].x, pass.inverse_share + j, h2, coefficient);
    if (!beside_wall) return weight;
    return through_walls(i.x, i.wall, &pass.x[j].x, &pass.walls[j].x, weight);
}

/// Of pairs that move past each other, (0.17 h)^2 |v_ij| / (0.7 r), in m2/s.
template <int K>
SPINDRIFT_INLINE F8 eddy_diffusivity(const MixingPass& pass, const Parcels<K>& i, std::uint32_t j, F8 h2) {
    const float *x_j = &pass.x[j].x, *v_j = &pass.v[j].x;
    const F8 dx = i.x.x - broadcast(x_j), dy = i.x.y - broadcast(x_j + 1), dz = i.x.z - broadcast(x_j + 2);
    const F8 vx = i.v.x - broadcast(v_j), vy = i.v.y - broadcast(v_j + 1), vz = i.v.z - broadcast(v_j + 2);
    const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(0.01f))));
    const F8 v2 = fmadd(vx, vx, fmadd(vy, vy, vz * vz));
    return F8(pass.eddies) * h2 * sqrt(v2 / r2);
}

/// What flows into i of each component, for a weight of 1.
template <int K, bool unlike>
SPINDRIFT_INLINE void find_flux(const MixingPass& pass, const F8* own, const F8* other, F8 eddies, F8* flux) {
    if constexpr (!unlike) {
        for (int k = 0; k < K; ++k)
            flux[k] = other[k] - own[k];
    } else {
        F8 surplus(0.f);
        for (int k = 0; k < K; ++k) {
            flux[k] = (F8(pass.diffusivity[k]) + eddies) * (other[k] - own[k]);
            surplus = surplus + flux[k];
        }
        const F8 out = F8(0.f) < surplus;
        for (int k = 0; k < K; ++k)
            flux[k] = fnmadd(select(out, own[k], other[k]), surplus, flux[k]);
    }
}

/// Rounds what flows. Rounding leaves a few quanta over: the component that the pair has most of takes them.
template <int K>
SPINDRIFT_INLINE void round_flux(F8 weight, const F8* own, const F8* other, F8* flux) {
    if constexpr (K == 2) {
        flux[0] = rounded(weight * flux[0]);
        flux[1] = F8(0.f) - flux[0];
    } else {
        F8 over(0.f), most(0.f);
        for (int k = 0; k < K; ++k) {
            flux[k] = rounded(weight * flux[k]);
            over = over + flux[k];
            most = max(most, own[k] + other[k]);
        }
        for (int k = 0; k < K; ++k) {
            const F8 taken = select(own[k] + other[k] < most, F8(0.f), over);
            flux[k] = flux[k] - taken;
            over = over - taken;
        }
    }
}

template <int K, bool unlike, bool exact>
SPINDRIFT_INLINE F8 exchange_with(const MixingPass& pass, const Parcels<K>& i, const std::uint32_t* list,
                                  std::uint32_t size, F8 h2, F8 coefficient, bool beside_wall, F8* sum) {
    F8 weights(0.f);
    for (std::uint32_t n = 0; n < size; ++n) {
        const std::uint32_t j = list[n];
        F8 weight = pair_weight<K>(pass, i, j, h2, coefficient, beside_wall);
        F8 eddies(0.f);
        if constexpr (unlike) {
            if (pass.v) eddies = eddy_diffusivity<K>(pass, i, j, h2);
            weights = fmadd(weight, F8(pass.largest_diffusivity) + eddies, weights);
        } else {
            weights = weights + weight;
            if constexpr (exact) weight = min(weight, F8(largest_weight));
        }
        F8 other[K], flux[K];
        for (int k = 0; k < K; ++k)
            other[k] = broadcast(&pass.groups[k / 4][j].x + k % 4);
        find_flux<K, unlike>(pass, i.share, other, eddies, flux);
        if constexpr (exact) {
            if constexpr (unlike) {
                // The same for both sides, and more than a particle has never flows.
                const F8 bound = F8(largest_weight) / (F8(pass.largest_diffusivity) + eddies);
                weight = min(weight, bound * F8(0.5f));
            }
            round_flux<K>(weight, i.share, other, flux);
            for (int k = 0; k < K; ++k)
                sum[k] = sum[k] + flux[k];
        } else {
            for (int k = 0; k < K; ++k)
                sum[k] = fmadd(weight, flux[k], sum[k]);
        }
    }
    return weights;
}

/// What a particle counts itself as among its neighbours.
template <bool unlike>
SPINDRIFT_INLINE F8 own_weight(const MixingPass& pass, F8 inverse, F8 h2, F8 coefficient) {
    const F8 weight = h2 * h2 * (max(inverse + inverse, F8(0.f)) * coefficient);
    return unlike ? weight * F8(pass.largest_diffusivity) : weight;
}

template <int K>
SPINDRIFT_INLINE void store_shares(const MixingPass& pass, const Cluster& c, const Parcels<K>& i, const F8* sum) {
    for (int g = 0; g < (K + 3) / 4; ++g) {
        F8x4 four{F8(0.f), F8(0.f), F8(0.f), F8(0.f)}, before = four;
        const F8 mu(pass.factor), nu(pass.momentum);
        if (pass.momentum != 0) before = load_groups(&pass.next[g][c.first].x, static_cast<int>(c.count));
        const auto result = [&](int k, F8 earlier) {
            const F8 moved = fmadd(mu, sum[k], i.share[k]);
            return pass.momentum != 0 ? fmadd(nu, earlier - i.share[k], moved) : moved;
        };
        four.x = result(4 * g, before.x);
        if constexpr (K > 1) four.y = result(4 * g + 1, before.y);
        if constexpr (K > 2) four.z = result(4 * g + 2, before.z);
        if constexpr (K > 3) four.w = result(4 * g + 3, before.w);
        store_groups(&pass.next[g][c.first].x, static_cast<int>(c.count), four);
    }
}

/// Whether all in reach are mixed alike: then nothing flows.
template <int K>
SPINDRIFT_INLINE bool is_uniform(const MixingPass& pass, const Cluster& c) {
    bool alike = true;
    for_each_segment(pass.lists, pass.fluid, c, [&](const std::uint32_t* list, std::uint32_t size, const PairScale&) {
        for (std::uint32_t n = 0; alike && n < size; ++n) {
            const std::uint32_t j = list[n];
            if (j == pass.nobody) continue;
            for (int g = 0; g < (K + 3) / 4; ++g) {
                const Float4 &a = pass.groups[g][j], &b = pass.groups[g][c.first];
                alike = alike && a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
            }
        }
    });
    return alike;
}

template <int K, bool unlike, bool exact>
void exchange_clusters(const MixingPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        Parcels<K> i;
        i.x = load_groups(&pass.x[c.first].x, count);
        i.inverse = load(pass.inverse_share + c.first);
        load_shares<K>(pass.groups, c, i.share);
        const bool beside_wall = pass.walls && near_walls(pass.fluid, c, n).any();
        if (beside_wall) i.wall = load_groups(&pass.walls[c.first].x, count);
        if (pass.v) i.v = load_groups(&pass.v[c.first].x, count);
        const LiquidScale& own = pass.fluid.of(c.first);
        const float* coefficients = pass.coefficient + own.resolution * neighbors::most_resolutions;
        const PairScale* pairs = pass.fluid.pairs_of(own);
        F8 sum[K];
        for (int k = 0; k < K; ++k)
            sum[k] = F8(0.f);
        // A stage of a super-step may go on with what was before.
        if (pass.momentum == 0 && is_uniform<K>(pass, c)) {
            store_shares<K>(pass, c, i, sum);
            pass.weights[n] = 0;
            continue;
        }
        F8 weights = F8(0.f) - own_weight<unlike>(pass, i.inverse, F8(pairs[own.resolution].h2),
                                                  F8(coefficients[own.resolution]));
        for_each_segment(pass.lists, pass.fluid, c,
                         [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                             const F8 coefficient(coefficients[&scale - pairs]);
                             weights = weights + exchange_with<K, unlike, exact>(pass, i, list, size, F8(scale.h2),
                                                                                 coefficient, beside_wall, sum);
                         });
        store_shares<K>(pass, c, i, sum);
        alignas(32) float lane[8];
        store(lane, weights);
        float largest = 0;
        for (std::uint32_t k = 0; k < c.count; ++k)
            largest = lane[k] > largest ? lane[k] : largest;
        pass.weights[n] = largest;
    }
}

template <int K>
void exchange_of(const MixingPass& pass, std::uint32_t first, std::uint32_t last) {
    if (pass.unlike)
        pass.exact ? exchange_clusters<K, true, true>(pass, first, last)
                   : exchange_clusters<K, true, false>(pass, first, last);
    else
        pass.exact ? exchange_clusters<K, false, true>(pass, first, last)
                   : exchange_clusters<K, false, false>(pass, first, last);
}

}  // namespace

void filled_shares(const FilledPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const F8x4 i = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
        F8 filled(0.f);
        for_each_segment(pass.lists, pass.fluid, c,
                         [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                             const F8 h2(scale.h2);
                             F8 a(0.f), b(0.f);
                             for (std::uint32_t k = 0; k < size; k += 2) {
                                 const F8 s = inside(i, &pass.x[list[k]].x, h2);
                                 const F8 t = inside(i, &pass.x[list[k + 1]].x, h2);
                                 a = fmadd(s * s, s, a);
                                 b = fmadd(t * t, t, b);
                             }
                             filled = fmadd(a + b, F8(scale.density), filled);
                         });
        alignas(32) float lane[8];
        store(lane, F8(1.f) / max(filled, F8(least_share)));
        for (std::uint32_t k = 0; k < c.count; ++k)
            pass.inverse_share[c.first + k] = lane[k];
    }
}

void exchange(const MixingPass& pass, std::uint32_t first, std::uint32_t last) {
    if (pass.components <= 2) return exchange_of<2>(pass, first, last);
    if (pass.components == 3) return exchange_of<3>(pass, first, last);
    if (pass.components == 4) return exchange_of<4>(pass, first, last);
    exchange_of<8>(pass, first, last);
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
