// Source: Macklin and Mueller 2013; Alduan et al. 2017, Eq. 1 to 9; walls: docs/decisions/0005; where liquids and radii
//   meet: docs/decisions/0007.
// Equations: C_i = sum_j V_j W_ij + gamma B(x_i) - 1 with poly6 W of the larger radius, w_i = k_i max(C_i, 0) / V_i,
//   dx_i = 1/rho_i sum_j V_j (w_i + w_j + g) |grad W_ij| x_ij / r  -  w_i grad B(x_i) / rho_i,
//   v_i += sum_j V_j 2 rho_j / (rho_i + rho_j) min(c_i, c_j) W_ij (v_j - v_i).
// Differs: with one multiplier w per particle that carries stiffness and kernel factors the loop only adds, and the
//   momentum of a pair is zero for any masses and radii. The tensile term of Eq. 9 at kappa = 0 is a cheaper polynomial
//   that acts below 0.9 spacings only, between pairs and off walls.
// Symbols: B share of the support behind walls, F and A its value and slope for a half-space at distance s.

#include "spindrift/core/simd.h"
#include "spindrift/pbf/kernels.h"
#include "spindrift/pbf/wall_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;
using neighbors::Cluster;

/// max(h^2 - r^2, 0).
SPINDRIFT_INLINE F8 inside(const F8x4& i, const float* j, F8 h2) {
    const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
    return max(fnmadd(dx, dx, fnmadd(dy, dy, fnmadd(dz, dz, h2))), F8(0.f));
}

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

/// Calls body(list, size, pair scale) for the neighbours of each radius.
template <class Body>
SPINDRIFT_INLINE void for_each_segment(const neighbors::ListView& lists, const FluidView& fluid, const Cluster& c,
                                       const Body& body) {
    const LiquidScale& own = fluid.of(c.first);
    const PairScale* pairs = fluid.pairs_of(own);
    body(lists.list(c), c.list_size, pairs[own.resolution]);
    if (!c.crosses) return;
    neighbors::SegmentWalk walk = lists.segments(c);
    for (neighbors::Segment segment{}; walk.next(segment);)
        body(segment.list, segment.size, pairs[segment.resolution]);
}

/// Positions in the support radii of the class, as walls have them.
SPINDRIFT_INLINE F8x4 in_radii(const F8x4& p, float h) {
    const F8 s(1 / h);
    return {p.x * s, p.y * s, p.z * s, p.w};
}

SPINDRIFT_INLINE NearWalls near_walls(const FluidView& fluid, const Cluster& c, std::uint32_t cluster) {
    const std::uint32_t* starts = fluid.contacts.starts;
    if (!starts) return {c.near_wall != 0};
    return {c.near_wall != 0, starts[cluster], starts[cluster + 1]};
}

/// A value per particle from a table by liquid.
SPINDRIFT_INLINE F8 by_liquid(const FluidView& fluid, const Cluster& c, const float* table) {
    if (!fluid.liquid) return F8(table[0]);
    alignas(32) float lane[8];
    for (std::uint32_t k = 0; k < 8; ++k)
        lane[k] = table[fluid.liquid[c.first + (k < c.count ? k : 0)]];
    return load(lane);
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

DensitySums density(const DensityPass& pass, std::uint32_t first, std::uint32_t last) {
    DensitySums sums;
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
            sums.largest_error = c_lane[lane] > sums.largest_error ? c_lane[lane] : sums.largest_error;
            if (pass.constraint) pass.constraint[c.first + lane] = c_lane[lane];
        }
        sums.error += cluster_error;
        sums.particles += c.count;
    }
    return sums;
}

/// Sum of (h - r)^4 / rho_j, the particle itself left out.
SPINDRIFT_INLINE F8 weighted_squares(const StiffnessPass& pass, const F8x4& i, const std::uint32_t* list,
                                     std::uint32_t size, float h) {
    F8 sum(0.f);
    for (std::uint32_t k = 0; k < size; ++k) {
        const float* j = &pass.x[list[k]].x;
        const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
        const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(1e-12f))));
        const F8 u = max(fnmadd(r2, rsqrt(r2), F8(h)), F8(0.f));
        const F8 other = select(F8(1e-10f) < r2, u * u, F8(0.f));
        sum = fmadd(other * other, broadcast(pass.fluid.inverse_density + list[k]), sum);
    }
    return sum;
}

void stiffness(const StiffnessPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n < last; ++n) {
        const Cluster& c = pass.lists.clusters[n];
        alignas(32) float ratio[8] = {};
        if (c.mixed) {
            const F8x4 i = load_groups(&pass.x[c.first].x, static_cast<int>(c.count));
            F8 sum(0.f);
            for_each_segment(pass.lists, pass.fluid, c,
                             [&](const std::uint32_t* list, std::uint32_t size, const PairScale& scale) {
                                 sum = fmadd(weighted_squares(pass, i, list, size, scale.h), F8(scale.stiffness), sum);
                             });
            store(ratio, sum);
        }
        for (std::uint32_t lane = 0; lane < c.count; ++lane) {
            const LiquidScale& own = pass.fluid.of(c.first + lane);
            const float weight = ratio[lane] * own.stiffness;
            pass.stiffness[c.first + lane] = own.multiplier / (weight > 1 ? weight : 1);
        }
    }
}

struct Correction {
    F8 x, y, z;
};

/// Strengths of the pair terms of a cluster: of its own liquid, and by liquid where several meet.
struct TermStrength {
    F8 own, own_attraction;
    const float* table;
    const std::uint8_t* liquid;
    F8 own_liquid;

    SPINDRIFT_INLINE F8 of(std::uint32_t j) const { return min(own, broadcast(table + liquid[j])); }
    /// Particles of different liquids do not attract each other: their interface has a tension, too.
    SPINDRIFT_INLINE F8 attraction(std::uint32_t j) const {
        const F8 difference = own_liquid - F8(static_cast<float>(liquid[j]));
        return select(difference * difference < F8(0.5f), own_attraction, F8(0.f));
    }
};

/// (h - r - 0.55 h)^2 where positive.
SPINDRIFT_INLINE F8 separation_term(F8 u, F8 h) {
    const F8 close = max(fnmadd(F8(separation_start), h, u), F8(0.f));
    return close * close;
}

/// (W(r) / W(0.2 h))^4 with poly6, the tensile term of Macklin and Mueller 2013.
SPINDRIFT_INLINE F8 tensile_term(F8 r2, F8 h2) {
    const F8 y = max(h2 - r2, F8(0.f)) / (h2 * F8(1 - 0.2f * 0.2f));
    const F8 y3 = y * y * y, y6 = y3 * y3;
    return y6 * y6;
}

/// r / h - 1/2 where positive: attraction reaches farther than the pressure that balances it, which is what makes a
/// surface tense; docs/decisions/0008.
SPINDRIFT_INLINE F8 attraction_term(F8 u, F8 h) {
    return max(F8(0.5f) - u / h, F8(0.f));
}

template <PairTerm term, bool mixed>
SPINDRIFT_INLINE void add_pair(const F8x4& i, const Float4* x, std::uint32_t index, F8 h, F8 h2,
                               const TermStrength& terms, Correction& sum) {
    const float* j = &x[index].x;
    const F8 dx = i.x - broadcast(j), dy = i.y - broadcast(j + 1), dz = i.z - broadcast(j + 2);
    // A tiny distance keeps 1/r finite for the particle itself, whose dx is zero anyway.
    const F8 r2 = fmadd(dx, dx, fmadd(dy, dy, fmadd(dz, dz, F8(1e-12f))));
    const F8 inverse = rsqrt(r2);
    const F8 u = max(fnmadd(r2, inverse, h), F8(0.f));
    F8 strength;
    if constexpr (term == PairTerm::tension) {
        strength = (mixed ? terms.of(index) : terms.own) * tensile_term(r2, h2);
        strength = fnmadd(mixed ? terms.attraction(index) : terms.own_attraction, attraction_term(u, h), strength);
    } else {
        strength = i.w + broadcast(j + 3);
        if constexpr (term == PairTerm::separation)
            strength = fmadd(separation_term(u, h), mixed ? terms.of(index) : terms.own, strength);
    }
    const F8 factor = strength * u * (u * inverse);
    sum.x = fmadd(factor, dx, sum.x);
    sum.y = fmadd(factor, dy, sum.y);
    sum.z = fmadd(factor, dz, sum.z);
}

template <PairTerm term, bool mixed>
SPINDRIFT_INLINE Correction pair_corrections(const F8x4& i, const Float4* x, const std::uint32_t* list,
                                             std::uint32_t size, const PairScale& scale, const TermStrength& terms) {
    // One sum: a pair takes longer than an addition, and a second one would not fit the registers.
    const F8 h(scale.h), h2(scale.h2);
    Correction sum{F8(0.f), F8(0.f), F8(0.f)};
    for (std::uint32_t k = 0; k < size; k += 2) {
        add_pair<term, mixed>(i, x, list[k], h, h2, terms, sum);
        add_pair<term, mixed>(i, x, list[k + 1], h, h2, terms, sum);
    }
    const F8 factor(scale.correction);
    return {sum.x * factor, sum.y * factor, sum.z * factor};
}

template <PairTerm term>
SPINDRIFT_INLINE TermStrength term_strength(const CorrectionPass& pass, const Cluster& c) {
    TermStrength terms{F8(0.f), F8(0.f), pass.term_strength, pass.fluid.liquid, F8(0.f)};
    if constexpr (term == PairTerm::none) return terms;
    terms.own = by_liquid(pass.fluid, c, pass.term_strength);
    if constexpr (term == PairTerm::tension) terms.own_attraction = by_liquid(pass.fluid, c, pass.attraction);
    if (pass.fluid.liquid) {
        alignas(32) float lane[8];
        for (std::uint32_t k = 0; k < 8; ++k)
            lane[k] = static_cast<float>(pass.fluid.liquid[c.first + (k < c.count ? k : 0)]);
        terms.own_liquid = load(lane);
    }
    return terms;
}

/// The move of a cluster by its pairs, before it is divided by the density. Radii differ too much across segments for a
/// distance to keep: only pairs of one radius have a term of their own.
template <PairTerm term, bool mixed>
SPINDRIFT_INLINE Correction correct_pairs(const CorrectionPass& pass, const Cluster& c, const F8x4& i) {
    const LiquidScale& own = pass.fluid.of(c.first);
    const PairScale* pairs = pass.fluid.pairs_of(own);
    const TermStrength terms = term_strength<term>(pass, c);
    Correction move =
        pair_corrections<term, mixed>(i, pass.x, pass.lists.list(c), c.list_size, pairs[own.resolution], terms);
    if (!c.crosses || term == PairTerm::tension) return move;
    neighbors::SegmentWalk walk = pass.lists.segments(c);
    for (neighbors::Segment segment{}; walk.next(segment);) {
        const Correction part = pair_corrections<PairTerm::none, false>(i, pass.x, segment.list, segment.size,
                                                                        pairs[segment.resolution], terms);
        move = {move.x + part.x, move.y + part.y, move.z + part.z};
    }
    return move;
}

/// What of the walls' push comes from one body so far; null if a contact is with something else.
SPINDRIFT_INLINE float* push_of(float* pushes, const ContactView& contacts, std::uint32_t contact) {
    if (!contacts.push || contacts.push[contact] == no_push) return nullptr;
    return pushes + push_floats * static_cast<std::size_t>(contacts.push[contact]);
}

SPINDRIFT_INLINE Correction load_push(const float* at) {
    return {load(at), load(at + 8), load(at + 16)};
}

SPINDRIFT_INLINE void store_push(float* at, const Correction& c) {
    store(at, c.x), store(at + 8, c.y), store(at + 16, c.z);
}

/// How strongly walls push, and what is left of it.
struct WallStrength {
    F8 push, separation, scale;
    Correction held;  ///< what of the pairs' move was too much
};

/// The walls' push, and no more than largest_move in all: beside a wall nothing else balances a wild correction.
SPINDRIFT_INLINE WallStrength correct_at_walls(const CorrectionPass& pass, const LiquidScale& own,
                                               const NearWalls& near, const F8x4& p, F8 lightness, Correction& move) {
    const WallView& walls = pass.fluid.walls[own.resolution];
    const ContactView& contacts = pass.fluid.contacts;
    Boundary b = no_boundary();
    float largest = pass.largest_move * own.h;
    if (near.plain) add_plain_walls(walls, p, b);
    for (std::uint32_t k = near.first; k < near.last; ++k) {
        const collision::WallField& wall = walls.fields[contacts.field[k]];
        if (wall.body >= 0) largest = pass.largest_move * pass.body_move * own.h;
        float* known = known_of(contacts, k);
        if (!pass.knows_fields) store_contact(known, contact_with(wall, p));
        add_field(wall, load_contact(known), b);
    }
    const F8 push = p.w * lightness * F8(pass.wall_multiplier / own.h);
    const F8 separation(pass.wall_separation * own.h);
    const Correction pairs = move;
    move.x = fmadd(push, b.x, fmadd(separation, b.sx, move.x));
    move.y = fmadd(push, b.y, fmadd(separation, b.sy, move.y));
    move.z = fmadd(push, b.z, fmadd(separation, b.sz, move.z));
    const F8 squared = fmadd(move.x, move.x, fmadd(move.y, move.y, fmadd(move.z, move.z, F8(1e-20f))));
    const F8 scale = min(F8(1.f), F8(largest) / sqrt(squared));
    move = {move.x * scale, move.y * scale, move.z * scale};
    const F8 less = scale - F8(1.f);
    return {push, separation, scale, {pairs.x * less, pairs.y * less, pairs.z * less}};
}

/// An accelerated step is no sum of moves: what bodies did goes through the same recursion as the positions. What pairs
/// may not move because of largest_move, the first body holds. The next iterate may lie in the memory of the one
/// before.
SPINDRIFT_INLINE void accumulate_pushes(const CorrectionPass& pass, const LiquidScale& own, const NearWalls& near,
                                        const WallStrength& strength) {
    const ContactView& contacts = pass.fluid.contacts;
    const F8 omega(pass.omega), push = strength.push * strength.scale, apart = strength.separation * strength.scale;
    Correction held = strength.held;
    for (std::uint32_t k = near.first; k < near.last; ++k) {
        float* next = push_of(pass.pushes_next, contacts, k);
        if (!next) continue;
        Boundary b = no_boundary();
        add_field(pass.fluid.walls[own.resolution].fields[contacts.field[k]], load_contact(known_of(contacts, k)), b);
        const auto at = next - pass.pushes_next;
        const Correction so_far = load_push(pass.pushes + at), before = load_push(pass.pushes_before + at);
        const Correction sum{fmadd(push, b.x, fmadd(apart, b.sx, so_far.x + held.x)),
                             fmadd(push, b.y, fmadd(apart, b.sy, so_far.y + held.y)),
                             fmadd(push, b.z, fmadd(apart, b.sz, so_far.z + held.z))};
        held = {F8(0.f), F8(0.f), F8(0.f)};
        store_push(next, {fmadd(omega, sum.x - before.x, before.x), fmadd(omega, sum.y - before.y, before.y),
                          fmadd(omega, sum.z - before.z, before.z)});
    }
}

/// Positions after a move, in the support radii of the class as p is, kept out of all walls.
SPINDRIFT_INLINE void keep_out(const CorrectionPass& pass, const LiquidScale& own, const NearWalls& near, const F8x4& p,
                               F8x4& next) {
    const WallView& walls = pass.fluid.walls[own.resolution];
    for (std::uint32_t k = near.first; k < near.last; ++k) {
        const FieldContact c = load_contact(known_of(pass.fluid.contacts, k));
        const F8 out = keep_off(c, p, next) * F8(own.h);
        if (float* own_push = push_of(pass.pushes_next, pass.fluid.contacts, k)) {
            const Correction so_far = load_push(own_push);
            store_push(own_push, {fmadd(out, c.x, so_far.x), fmadd(out, c.y, so_far.y), fmadd(out, c.z, so_far.z)});
        }
    }
    if (near.plain) keep_out_of_walls(walls, next);
}

template <PairTerm term>
void correct_clusters(const CorrectionPass& pass, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t k = first; k < last; ++k) {
        const std::uint32_t n = pass.active ? pass.active[k] : k;
        const Cluster& c = pass.lists.clusters[n];
        const LiquidScale& own = pass.fluid.of(c.first);
        const int count = static_cast<int>(c.count);
        const F8x4 i = load_groups(&pass.x[c.first].x, count);
        Correction move = term != PairTerm::none && c.mixed ? correct_pairs<term, true>(pass, c, i)
                                                            : correct_pairs<term, false>(pass, c, i);
        F8 lightness(1.f);
        if (pass.fluid.inverse_density) {
            lightness = load(pass.fluid.inverse_density + c.first);
            move = {move.x * lightness, move.y * lightness, move.z * lightness};
        }
        const NearWalls near = near_walls(pass.fluid, c, n);
        const F8x4 in_class = in_radii(i, own.h);
        if (near.any()) {
            const WallStrength strength = correct_at_walls(pass, own, near, in_class, lightness, move);
            if (pass.pushes) accumulate_pushes(pass, own, near, strength);
        }

        F8x4 next{i.x + move.x, i.y + move.y, i.z + move.z, F8(0.f)};
        if (pass.omega != 1) {
            const F8x4 before = load_groups(&pass.x_before[c.first].x, count);
            const F8 omega(pass.omega);
            next.x = fmadd(omega, next.x - before.x, before.x);
            next.y = fmadd(omega, next.y - before.y, before.y);
            next.z = fmadd(omega, next.z - before.z, before.z);
        }
        if (near.any()) {
            F8x4 moved = in_radii(next, own.h);
            keep_out(pass, own, near, in_class, moved);
            next = in_radii(moved, 1 / own.h);
        }
        store_groups(&pass.x_next[c.first].x, count, next);
    }
}

void correct(const CorrectionPass& pass, std::uint32_t first, std::uint32_t last) {
    switch (pass.term) {
        case PairTerm::none:
            return correct_clusters<PairTerm::none>(pass, first, last);
        case PairTerm::separation:
            return correct_clusters<PairTerm::separation>(pass, first, last);
        case PairTerm::tension:
            return correct_clusters<PairTerm::tension>(pass, first, last);
    }
}

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
                const F8 viscosity_i = by_liquid(pass.fluid, c, pass.viscosity);
                const F8 lightness = load(pass.fluid.inverse_density + c.first);
                for (std::uint32_t k = 0; k < size; ++k) {
                    const F8 viscosity = min(viscosity_i, broadcast(pass.viscosity + pass.fluid.liquid[list[k]]));
                    // 2 rho_j / (rho_i + rho_j)
                    const F8 share =
                        (lightness + lightness) / (lightness + broadcast(pass.fluid.inverse_density + list[k]));
                    add_diffusion<central>(i, v, &pass.x[list[k]].x, &pass.v[list[k]].x, h2, viscosity * share, sum);
                }
            } else {
                for (std::uint32_t k = 0; k < size; ++k)
                    add_diffusion<central>(i, v, &pass.x[list[k]].x, &pass.v[list[k]].x, h2, F8(1.f), sum);
                const F8 viscosity(pass.viscosity[pass.fluid.liquid ? pass.fluid.liquid[c.first] : 0]);
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
    const F8 drag = by_liquid(pass.fluid, c, pass.wall_drag) * F8(pass.sign), motion(pass.wall_motion);
    change.x = fnmadd(drag, fnmadd(motion, rough.x, rough.share * v.x), change.x);
    change.y = fnmadd(drag, fnmadd(motion, rough.y, rough.share * v.y), change.y);
    change.z = fnmadd(drag, fnmadd(motion, rough.z, rough.share * v.z), change.z);
}

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

void find_meetings_with(const MeetingPass& pass, const collision::WallField& field) {
    for (std::uint32_t first = 0; first < pass.count; first += 8) {
        const int count = static_cast<int>(pass.count - first < 8 ? pass.count - first : 8);
        const F8x4 from = load_groups(&pass.from[first].x, count), to = load_groups(&pass.to[first].x, count);
        pass.meets[first / 8] |= static_cast<std::uint8_t>(meets(field, from, to));
    }
}

/// Particles follow each other in space: most fields are away from all of a batch.
void find_meetings(const MeetingPass& pass) {
    Vec3f lo = pass.from[0].xyz(), hi = lo;
    for (std::uint32_t i = 0; i < pass.count; ++i) {
        lo = min(lo, min(pass.from[i].xyz(), pass.to[i].xyz()));
        hi = max(hi, max(pass.from[i].xyz(), pass.to[i].xyz()));
    }
    for (std::uint32_t first = 0; first < pass.count; first += 8)
        pass.meets[first / 8] = 0;
    for (std::uint32_t k = 0; k < pass.field_count; ++k) {
        const Box3f& box = pass.fields[k].bounds;
        if (lo.x > box.hi.x || lo.y > box.hi.y || lo.z > box.hi.z || hi.x < box.lo.x || hi.y < box.lo.y ||
            hi.z < box.lo.z)
            continue;
        find_meetings_with(pass, pass.fields[k]);
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

}  // namespace

Kernels kernels() {
    return {density, stiffness, correct, viscosity, vorticity, find_meetings, count_pairs};
}

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
