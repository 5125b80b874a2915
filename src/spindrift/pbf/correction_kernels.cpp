// Moves of particles by the multipliers of pairs, by surface tension and by walls.
//
// Source: Macklin and Mueller 2013; Alduan et al. 2017, Eq. 5 to 9; walls: docs/decisions/0005; where liquids and radii
//   meet: docs/decisions/0007.
// Equations: dx_i = 1/rho_i sum_j V_j (w_i + w_j + g) |grad W_ij| x_ij / r  -  w_i grad B(x_i) / rho_i.
// Differs: the momentum of a pair is zero for any masses and radii, since w carries stiffness and kernel factors. The
//   tensile term of Eq. 9 at kappa = 0 is a cheaper polynomial that acts below 0.9 spacings only, between pairs and off
//   walls.
// Symbols: w multipliers, B share of the support behind walls, g the separation term.

#include "spindrift/pbf/pair_kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

/// Strengths of the pair terms of a cluster: its own, and those of others where they differ.
struct TermStrength {
    F8 own, own_attraction;
    const float *each, *each_attraction;
    const std::uint8_t* liquid;
    F8 own_liquid;

    SPINDRIFT_INLINE F8 of(std::uint32_t j) const { return min(own, broadcast(each + j)); }
    /// Particles of different liquids do not attract each other: their interface has a tension, too.
    SPINDRIFT_INLINE F8 attraction(std::uint32_t j) const {
        if (!liquid) return min(own_attraction, broadcast(each_attraction + j));
        const F8 difference = own_liquid - F8(static_cast<float>(liquid[j]));
        const F8 weaker = min(own_attraction, broadcast(each_attraction + j));
        return select(difference * difference < F8(0.5f), weaker, F8(0.f));
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
    TermStrength terms{F8(0.f), F8(0.f), pass.term_strength.each, pass.attraction.each, pass.fluid.liquid, F8(0.f)};
    if constexpr (term == PairTerm::none) return terms;
    terms.own = of_cluster(pass.term_strength, c);
    if constexpr (term == PairTerm::tension) terms.own_attraction = of_cluster(pass.attraction, c);
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
        const bool differ = term != PairTerm::none && c.mixed && pass.term_strength.each;
        Correction move = differ ? correct_pairs<term, true>(pass, c, i) : correct_pairs<term, false>(pass, c, i);
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

}  // namespace

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

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
