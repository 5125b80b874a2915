// Source: Batty and Bridson 2008, "Accurate viscous free surfaces for buckling, coiling, and rotating liquids".
// Equations: the velocity after a step is the least of
//     sum_faces V_f (u - u*)^2 + dt sum_cells 2 nu V_c e_aa^2 + dt sum_edges nu V_e (2 e_ab)^2,
//   so that A u = V_f u* with A = V_f + what the stresses 2 nu V_c e_aa and nu V_e 2 e_ab do to the faces around them.
// Differs: beside a wall that liquid sticks to, the edge's volume reaches from the wall to the face only, and the
//   velocity changes over that way: its weight is one over the way instead of the wall standing half a cell too deep.
// Symbols: V share of liquid in the cube around a place, e rate of strain, phi distance from the surface in cells.

#include "spindrift/flip/viscosity/viscosity_kernels.h"

#include "spindrift/grid/row_kernels.h"

namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE {

using namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE;

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// Unknowns without liquid of their own, which stresses move: a mass that says so and does nothing.
constexpr float hardly_any = 1e-12f;
/// Least way between a face and a wall, in cells: nearer ones would only be stiffer.
constexpr float least_way = 0.1f;

SPINDRIFT_INLINE F8 and_(F8 a, F8 b) {
    return select(a, b, F8(0.f));
}

/// Three fields around a leaf.
struct Rows3 {
    LeafRows x, y, z;

    SPINDRIFT_INLINE Rows3(const float* const fields[3], std::size_t leaf, const std::int32_t* near)
        : x(fields[0], leaf, near), y(fields[1], leaf, near), z(fields[2], leaf, near) {}
};

/// Calls body(y, z, place of the row among all values) for the rows of a leaf.
template <class Body>
SPINDRIFT_INLINE void for_rows(std::size_t leaf, const Body& body) {
    for (int z = 0; z < leaf_width; ++z) {
#pragma GCC unroll 8
        for (int y = 0; y < leaf_width; ++y)
            body(y, z, leaf * leaf_cells + static_cast<std::size_t>(cell_index(0, y, z)));
    }
}

template <class Body>
SPINDRIFT_INLINE void for_list(const ViscousView& m, std::size_t first, std::size_t last, const Body& body) {
    for (std::size_t k = first; k < last; ++k) {
        const auto leaf = static_cast<std::size_t>(m.list[k]);
        body(leaf, m.neighbors + 27 * leaf, k);
    }
}

/// A weight is the share of the way between two faces that is not in the wall, where a wall along which the two others
/// lie is between them.
SPINDRIFT_INLINE F8 beside_wall(F8 weight, F8 rough_a, F8 rough_b, F8 open_a, F8 open_b) {
    const F8 half(0.5f);
    const F8 way = max(open_a + open_b - half, F8(least_way));
    const F8 one = rough_a + rough_b;
    return select(half < one, select(one < F8(1.5f), weight / way, weight), weight);
}

/// Weight of an edge between the faces a and b of one axis and c and d of another. Between faces that walls hold there
/// is no liquid that could pull.
SPINDRIFT_INLINE F8 edge_weight(F8 weight, const F8 kind[4], const F8 open[4]) {
    const F8 smooth(1.5f), rough(0.5f);
    const F8 all_ab = and_(rough < kind[0], rough < kind[1]), all_cd = and_(rough < kind[2], rough < kind[3]);
    const F8 most = max(max(kind[0], kind[1]), max(kind[2], kind[3]));
    const F8 least = min(min(kind[0], kind[1]), min(kind[2], kind[3]));
    F8 out = select(all_cd, beside_wall(weight, kind[0], kind[1], open[0], open[1]), weight);
    out = select(all_ab, beside_wall(out, kind[2], kind[3], open[2], open[3]), out);
    return and_(least < rough, and_(most < smooth, out));
}

void meet_walls(const WallPass& pass, std::size_t leaf) {
    const std::int32_t* near = pass.leaves->neighbors(leaf);
    const Rows3 k(pass.kind, leaf, near), o(pass.open, leaf, near);
    const F8 slips(2.5f), held(0.5f);
    for_rows(leaf, [&](int y, int z, std::size_t at) {
        const F8 kx = k.x.here(y, z), ky = k.y.here(y, z), kz = k.z.here(y, z);
        const F8 ox = o.x.here(y, z), oy = o.y.here(y, z), oz = o.z.here(y, z);
        const F8 most = max(max(max(kx, k.x.upper_x(y, z)), max(ky, k.y.upper_y(y, z))), max(kz, k.z.upper_z(y, z)));
        const F8 least = min(min(min(kx, k.x.upper_x(y, z)), min(ky, k.y.upper_y(y, z))), min(kz, k.z.upper_z(y, z)));
        store(pass.cell + at, and_(least < held, and_(most < slips, load(pass.cell + at))));
        const auto put = [&](int edge, const F8(&kind)[4], const F8(&open)[4]) {
            store(pass.edge[edge] + at, edge_weight(load(pass.edge[edge] + at), kind, open));
        };
        put(0, {ky, k.y.lower_z(y, z), kz, k.z.lower_y(y, z)}, {oy, o.y.lower_z(y, z), oz, o.z.lower_y(y, z)});
        put(1, {kx, k.x.lower_z(y, z), kz, k.z.lower_x(y, z)}, {ox, o.x.lower_z(y, z), oz, o.z.lower_x(y, z)});
        put(2, {kx, k.x.lower_y(y, z), ky, k.y.lower_x(y, z)}, {ox, o.x.lower_y(y, z), oy, o.y.lower_x(y, z)});
    });
}

/// One component's unknowns of a row: `w` are the weights before and behind it on each axis, `low` the kinds before it.
SPINDRIFT_INLINE void put_unknowns(const UnknownPass& pass, int axis, std::size_t at, F8 kind, const F8 (&low)[3],
                                   const F8 (&w)[3][2]) {
    const F8 zero(0.f), half(0.5f), free = kind < half, mass = load(pass.mass[axis] + at);
    const F8 diagonal = mass + ((w[0][0] + w[0][1]) + (w[1][0] + w[1][1]) + (w[2][0] + w[2][1]));
    const F8 unknown = and_(free, zero < diagonal);
    store(pass.mass[axis] + at, and_(unknown, max(mass, F8(hardly_any))));
    store(pass.inverse[axis] + at, and_(unknown, F8(1.f) / diagonal));
    if (!pass.diagonal[axis]) return;
    store(pass.diagonal[axis] + at, and_(unknown, diagonal));
    for (int b = 0; b < 3; ++b)
        store(pass.coupling[axis][b] + at, and_(free, and_(low[b] < half, w[b][0])));
}

void find_unknowns(const UnknownPass& pass, std::size_t first, std::size_t last) {
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t) {
        const Rows3 k(pass.kind, leaf, near), e(pass.matrix.edge, leaf, near);
        const LeafRows c(pass.matrix.cell, leaf, near);
        for_rows(leaf, [&](int y, int z, std::size_t at) {
            const F8 ex = e.x.here(y, z), ey = e.y.here(y, z), ez = e.z.here(y, z), own = c.here(y, z);
            put_unknowns(pass, 0, at, k.x.here(y, z), {k.x.lower_x(y, z), k.x.lower_y(y, z), k.x.lower_z(y, z)},
                         {{c.lower_x(y, z), own}, {ez, e.z.upper_y(y, z)}, {ey, e.y.upper_z(y, z)}});
            put_unknowns(pass, 1, at, k.y.here(y, z), {k.y.lower_x(y, z), k.y.lower_y(y, z), k.y.lower_z(y, z)},
                         {{ez, e.z.upper_x(y, z)}, {c.lower_y(y, z), own}, {ex, e.x.upper_z(y, z)}});
            put_unknowns(pass, 2, at, k.z.here(y, z), {k.z.lower_x(y, z), k.z.lower_y(y, z), k.z.lower_z(y, z)},
                         {{ey, e.y.upper_x(y, z)}, {ex, e.x.upper_y(y, z)}, {c.lower_z(y, z), own}});
        });
    });
}

/// A velocity where no stress is may be anything.
SPINDRIFT_INLINE void put_stress(float* out, F8 weight, F8 strain) {
    store(out, and_(F8(0.f) < weight, weight * strain));
}

void stress(const StressPass& pass, std::size_t first, std::size_t last) {
    const ViscousView& m = pass.matrix;
    for_list(m, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t) {
        const Rows3 u(pass.u, leaf, near);
        for_rows(leaf, [&](int y, int z, std::size_t at) {
            const F8 c = load(m.cell + at), ux = u.x.here(y, z), uy = u.y.here(y, z), uz = u.z.here(y, z);
            put_stress(pass.normal[0] + at, c, u.x.upper_x(y, z) - ux);
            put_stress(pass.normal[1] + at, c, u.y.upper_y(y, z) - uy);
            put_stress(pass.normal[2] + at, c, u.z.upper_z(y, z) - uz);
            put_stress(pass.shear[0] + at, load(m.edge[0] + at), (uy - u.y.lower_z(y, z)) + (uz - u.z.lower_y(y, z)));
            put_stress(pass.shear[1] + at, load(m.edge[1] + at), (ux - u.x.lower_z(y, z)) + (uz - u.z.lower_x(y, z)));
            put_stress(pass.shear[2] + at, load(m.edge[2] + at), (ux - u.x.lower_y(y, z)) + (uy - u.y.lower_x(y, z)));
        });
    });
}

void force(const ForcePass& pass, std::size_t first, std::size_t last, double* sums) {
    const ViscousView& m = pass.matrix;
    const F8 zero(0.f), inertia(pass.inertia), sign(pass.sign);
    for_list(m, first, last, [&](std::size_t leaf, const std::int32_t* near, std::size_t place) {
        const Rows3 n(pass.normal, leaf, near), s(pass.shear, leaf, near);
        F8 product(0.f);
        for_rows(leaf, [&](int y, int z, std::size_t at) {
            const auto put = [&](int axis, F8 pull) {
                const F8 mass = load(m.mass[axis] + at), u = and_(zero < mass, load(pass.u[axis] + at));
                const F8 out = sign * and_(zero < mass, fmadd(inertia * mass, u, pull));
                store(pass.out[axis] + at, out);
                product = fmadd(u, out, product);
            };
            const F8 sx = s.x.here(y, z), sy = s.y.here(y, z), sz = s.z.here(y, z);
            put(0, (n.x.lower_x(y, z) - n.x.here(y, z)) + (sz - s.z.upper_y(y, z)) + (sy - s.y.upper_z(y, z)));
            put(1, (n.y.lower_y(y, z) - n.y.here(y, z)) + (sz - s.z.upper_x(y, z)) + (sx - s.x.upper_z(y, z)));
            put(2, (n.z.lower_z(y, z) - n.z.here(y, z)) + (sy - s.y.upper_x(y, z)) + (sx - s.x.upper_y(y, z)));
        });
        if (sums) sums[place] = sum_of(product);
    });
}

void advance(const ViscousAdvance& pass, std::size_t first, std::size_t last, double* sums) {
    const F8 alpha(pass.alpha);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t*, std::size_t place) {
        F8 product(0.f);
        for (int axis = 0; axis < 3; ++axis) {
            for_rows(leaf, [&](int, int, std::size_t i) {
                store(pass.x[axis] + i, fmadd(alpha, load(pass.p[axis] + i), load(pass.x[axis] + i)));
                const F8 r = fnmadd(alpha, load(pass.q[axis] + i), load(pass.r[axis] + i));
                store(pass.r[axis] + i, r);
                product = fmadd(r * load(pass.matrix.inverse[axis] + i), r, product);
            });
        }
        if (sums) sums[place] = sum_of(product);
    });
}

void turn(const ViscousTurn& pass, std::size_t first, std::size_t last) {
    const F8 beta(pass.beta);
    for_list(pass.matrix, first, last, [&](std::size_t leaf, const std::int32_t*, std::size_t) {
        for (int axis = 0; axis < 3; ++axis) {
            for_rows(leaf, [&](int, int, std::size_t i) {
                const F8 z = load(pass.r[axis] + i) * load(pass.matrix.inverse[axis] + i);
                store(pass.p[axis] + i, fmadd(beta, load(pass.p[axis] + i), z));
            });
        }
    });
}

}  // namespace

ViscosityKernels viscosity_kernels() {
    return {meet_walls, find_unknowns, stress, force, advance, turn};
}

}  // namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE
