// Components that sink or rise through each other, pair by pair.
//
// Source: Masliyah 1979 and Ren et al. 2014 for slip and what it displaces; hindrance of the receiver: Bargiel and Tory
//   2006; walls and shares S_i as in mixing_kernels.cpp; docs/decisions/0030.
// Equations: of an upper particle u and a lower one l, each pair of components with s_a > s_b swaps
//   Q = V a_ul (s_a - s_b) C_a,u C_b,l, a = s_ul 2F_ul |g.x_ul|; a goes down, b up. s = w (1 - S)^(n - 1) with the S of
//   the particle that a component alone would go to: the lower one of what sinks, the upper one of what rises. What
//   a receiver has no room for stays: its filling, sum C / C_max over grains, grows by (1 - filling) / A of a pair's a.
// Differs: Eq. 29, Onderik 2014, has no hindrance of the receiver and goes beyond C_max. What is exchanged is cut off
// to
//   share_quantum, so that both sides give and take the same bits.
// Symbols: s slip, w speed of a grain alone, A the largest sum of a over the pairs of a particle.

#include "spindrift/pbf/exchange_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Keeps a division by a rate of filling finite.
constexpr float tiny = 1e-30f;

/// Down to a multiple of share_quantum: no particle gives what it does not have, or gets what it has no room for.
SPINDRIFT_INLINE F8 cut_off(F8 a) {
    return rounded(min(max(a - F8(0.5f * fluid::share_quantum), F8(0.f)), F8(largest_weight)));
}

SPINDRIFT_INLINE F8 absolute(F8 a) {
    return max(a, F8(0.f) - a);
}

/// Eight particles and what they have.
template <int K>
struct Layer {
    F8x4 x{}, wall{};
    F8 inverse{}, room{};
    F8 share[K]{}, slip[K]{};
};

/// Weight of a pair, and how far the other one is below.
struct Fall {
    F8 weight, below;
};

SPINDRIFT_INLINE Fall fall_to(const SettlingPass& pass, const F8x4& x, const F8x4& wall, F8 inverse, std::uint32_t j,
                              F8 h2, F8 coefficient, bool beside_wall) {
    const float* x_j = &pass.x[j].x;
    F8 weight = exchange_weight(x, inverse, x_j, pass.inverse_share + j, h2, coefficient);
    if (beside_wall) weight = through_walls(x, wall, x_j, &pass.walls[j].x, weight);
    const F8 dx = broadcast(x_j) - x.x, dy = broadcast(x_j + 1) - x.y, dz = broadcast(x_j + 2) - x.z;
    const F8 below = fmadd(F8(pass.down.x), dx, fmadd(F8(pass.down.y), dy, F8(pass.down.z) * dz));
    return {weight * absolute(below), below};
}

/// What a pair of particles may exchange, seen from above: shares of the upper and of the lower one. Of what sinks the
/// slip is that in the lower one, of what rises that in the upper one.
template <int K>
struct Pair {
    F8 upper[K], lower[K], slip[K];
    F8 upper_room, lower_room;
    F8 towards_i;  ///< 1 if i is the lower one, else -1
};

/// Components in the order of the pass: grains, of which there are G or, if that is 0, as many as it says, then
/// carriers.
template <int G>
SPINDRIFT_INLINE int grains_of(const SettlingPass& pass) {
    return G > 0 ? G : pass.grains;
}

template <int K, int G>
SPINDRIFT_INLINE Pair<K> order(const SettlingPass& pass, const Layer<K>& i, std::uint32_t j, F8 other_below) {
    Pair<K> pair;
    const std::size_t at = 4 * static_cast<std::size_t>(j);
    for (int k = 0; k < K; ++k) {
        const F8 other = broadcast(pass.share[k] + at);
        pair.upper[k] = select(other_below, i.share[k], other);
        pair.lower[k] = select(other_below, other, i.share[k]);
    }
    for (int a = 0; a < grains_of<G>(pass); ++a) {
        const F8 other = broadcast(pass.slip[a] + at);
        pair.slip[a] = pass.rises[a] ? select(other_below, i.slip[a], other) : select(other_below, other, i.slip[a]);
    }
    const F8 room = broadcast(pass.room + j);
    pair.upper_room = select(other_below, i.room, room);
    pair.lower_room = select(other_below, room, i.room);
    pair.towards_i = select(other_below, F8(-1.f), F8(1.f));
    return pair;
}

/// What of grains a goes down in place of grains b, for a weight of 1; below 0 the other way round.
template <int K>
SPINDRIFT_INLINE F8 swapped(const Pair<K>& pair, int a, int b) {
    const F8 difference = pair.slip[a] - pair.slip[b];
    const F8 down = max(difference, F8(0.f)) * (pair.upper[a] * pair.lower[b]);
    const F8 up = max(F8(0.f) - difference, F8(0.f)) * (pair.upper[b] * pair.lower[a]);
    return down - up;
}

/// How much of what comes to each of two particles they have room for.
struct Fits {
    F8 lower, upper;
};

template <int K, int G>
SPINDRIFT_INLINE Fits find_fits(const SettlingPass& pass, const Pair<K>& pair) {
    const int grains = grains_of<G>(pass);
    F8 upper_carrier(0.f), lower_carrier(0.f);
    for (int b = grains; b < K; ++b) {
        upper_carrier = upper_carrier + pair.upper[b];
        lower_carrier = lower_carrier + pair.lower[b];
    }
    F8 fills_lower(0.f), fills_upper(0.f);
    for (int a = 0; a < grains; ++a) {
        const F8 filling(pass.filling[a]);
        if (pass.rises[a])
            fills_upper = fills_upper - pair.slip[a] * pair.lower[a] * upper_carrier * filling;
        else
            fills_lower = fills_lower + pair.slip[a] * pair.upper[a] * lower_carrier * filling;
        for (int b = 0; b < a; ++b) {
            const F8 other = swapped(pair, a, b) * F8(pass.filling[a] - pass.filling[b]);
            fills_lower = fills_lower + max(other, F8(0.f));
            fills_upper = fills_upper + max(F8(0.f) - other, F8(0.f));
        }
    }
    Fits fits{F8(1.f), F8(1.f)};
    // Most have room enough.
    if (mask(min(pair.lower_room - fills_lower, pair.upper_room - fills_upper) < F8(0.f)) == 0) return fits;
    fits.lower = min(F8(1.f), pair.lower_room / max(fills_lower, F8(tiny)));
    fits.upper = min(F8(1.f), pair.upper_room / max(fills_upper, F8(tiny)));
    return fits;
}

/// Adds what a pair brings to the particles i.
template <int K, int G>
SPINDRIFT_INLINE void swap_components(const SettlingPass& pass, const Pair<K>& pair, F8 weight, F8* sum) {
    const Fits fits = find_fits<K, G>(pass, pair);
    const int grains = grains_of<G>(pass);
    for (int a = 0; a < grains; ++a) {
        const bool rises = pass.rises[a];
        // Through what carries it.
        const F8 rate = rises ? weight * fits.upper * (F8(0.f) - pair.slip[a]) * pair.lower[a]
                              : weight * fits.lower * pair.slip[a] * pair.upper[a];
        const F8 sign = rises ? F8(0.f) - pair.towards_i : pair.towards_i;
        for (int b = grains; b < K; ++b) {
            const F8 amount = cut_off(rate * (rises ? pair.upper[b] : pair.lower[b])) * sign;
            sum[a] = sum[a] + amount;
            sum[b] = sum[b] - amount;
        }
        for (int b = 0; b < a; ++b) {
            const F8 flux = swapped(pair, a, b), filling = flux * F8(pass.filling[a] - pass.filling[b]);
            F8 part = select(F8(0.f) < filling, fits.lower, F8(1.f));
            part = select(filling < F8(0.f), fits.upper, part);
            const F8 amount = cut_off(weight * absolute(flux) * part);
            const F8 gained = select(F8(0.f) < flux, amount, F8(0.f) - amount) * pair.towards_i;
            sum[a] = sum[a] + gained;
            sum[b] = sum[b] - gained;
        }
    }
}

/// Whether nobody in reach has grains.
SPINDRIFT_INLINE bool is_clear(const SettlingPass& pass, const Cluster& c) {
    bool clear = true;
    for_each_segment(pass.lists, pass.fluid, c, [&](const std::uint32_t* list, std::uint32_t size, const PairScale&) {
        for (std::uint32_t each = 0; clear && each < size; ++each)
            clear = pass.room[list[each]] >= pass.empty_room;
    });
    return clear;
}

/// One component of a cluster's particles, four floats apart.
SPINDRIFT_INLINE F8 load_lanes(const float* from, const Cluster& c) {
    alignas(32) float lane[8] = {};
    for (std::uint32_t k = 0; k < c.count; ++k)
        lane[k] = from[4 * static_cast<std::size_t>(c.first + k)];
    return load(lane);
}

template <int K>
SPINDRIFT_INLINE void store_shares(const SettlingPass& pass, const Cluster& c, const Layer<K>& i, const F8* sum) {
    for (int n = 0; n < K; ++n) {
        alignas(32) float lane[8];
        store(lane, i.share[n] + sum[n]);
        for (std::uint32_t k = 0; k < c.count; ++k)
            pass.next[n][4 * static_cast<std::size_t>(c.first + k)] = lane[k];
    }
}

/// Calls body(list, size, h2, coefficient) for the neighbours of each radius.
template <class Body>
SPINDRIFT_INLINE void for_each_list(const SettlingPass& pass, const Cluster& c, const Body& body) {
    const LiquidScale& own = pass.fluid.of(c.first);
    const float* coefficients = pass.coefficient + own.resolution * neighbors::most_resolutions;
    const PairScale* pairs = pass.fluid.pairs_of(own);
    for_each_segment(pass.lists, pass.fluid, c,
                     [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                         body(list, size, F8(scale.h2), F8(coefficients[&scale - pairs]));
                     });
}

template <int K, int G>
void settle_clusters(const SettlingPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const int count = static_cast<int>(c.count);
        Layer<K> i;
        i.x = load_groups(&pass.x[c.first].x, count);
        i.inverse = load(pass.inverse_share + c.first);
        i.room = load(pass.room + c.first);
        for (int k = 0; k < K; ++k)
            i.share[k] = load_lanes(pass.share[k], c);
        for (int a = 0; a < grains_of<G>(pass); ++a)
            i.slip[a] = load_lanes(pass.slip[a], c);
        const bool beside_wall = pass.walls && near_walls(pass.fluid, c, n).any();
        if (beside_wall) i.wall = load_groups(&pass.walls[c.first].x, count);
        F8 sum[K];
        for (int k = 0; k < K; ++k)
            sum[k] = F8(0.f);
        if (is_clear(pass, c)) {
            store_shares<K>(pass, c, i, sum);
            continue;
        }
        for_each_list(pass, c, [&](const std::uint32_t* list, std::uint32_t size, F8 h2, F8 coefficient) {
            for (std::uint32_t each = 0; each < size; ++each) {
                const Fall fall = fall_to(pass, i.x, i.wall, i.inverse, list[each], h2, coefficient, beside_wall);
                const F8 other_below = F8(0.f) < fall.below;
                swap_components<K, G>(pass, order<K, G>(pass, i, list[each], other_below), fall.weight, sum);
            }
        });
        store_shares<K>(pass, c, i, sum);
    }
}

template <int K>
void settle_of(const SettlingPass& pass, std::uint32_t first, std::uint32_t last) {
    if (pass.grains == 1) return settle_clusters<K, 1>(pass, first, last);
    if constexpr (K == 3 || K == 4) {
        if (pass.grains == 2) return settle_clusters<K, 2>(pass, first, last);
    }
    settle_clusters<K, 0>(pass, first, last);
}

}  // namespace

void settling_weights(const SettlingPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        const F8x4 x = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
        const F8 inverse = load(pass.inverse_share + c.first);
        F8 sum(0.f);
        for_each_list(pass, c, [&](const std::uint32_t* list, std::uint32_t size, F8 h2, F8 coefficient) {
            for (std::uint32_t each = 0; each < size; ++each)
                sum = sum + fall_to(pass, x, {}, inverse, list[each], h2, coefficient, false).weight;
        });
        alignas(32) float lane[8];
        store(lane, sum);
        float largest = 0;
        for (std::uint32_t k = 0; k < c.count; ++k)
            largest = lane[k] > largest ? lane[k] : largest;
        pass.weights[n] = largest;
    }
}

void settle(const SettlingPass& pass, std::uint32_t first, std::uint32_t last) {
    if (pass.components <= 2) return settle_of<2>(pass, first, last);
    if (pass.components == 3) return settle_of<3>(pass, first, last);
    if (pass.components == 4) return settle_of<4>(pass, first, last);
    settle_of<8>(pass, first, last);
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
