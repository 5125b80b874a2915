#pragma once
// Distance fields for eight particles at once; for files built per instruction set. Lengths in support radii.
// Plain loads of the eight corners of each particle's cell, turned into lanes: gathers are slower
// (docs/decisions/0010).
//
//   FieldContact c = contact_with(wall, p);        // c.s is the distance, (c.x, c.y, c.z) points away from the solid

#include "spindrift/collision/walls/wall_field.h"
#include "spindrift/core/simd.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

struct FieldContact {
    F8 s, x, y, z;  ///< distance and the unit vector along which it grows; zero far away
};

SPINDRIFT_INLINE F8 row_of(const collision::Affine& map, int row, const F8x4& p) {
    return fmadd(F8(map.m[row][0]), p.x, fmadd(F8(map.m[row][1]), p.y, fmadd(F8(map.m[row][2]), p.z, F8(map.b[row]))));
}

/// Memory of the lanes that have no brick.
inline constexpr float no_nodes[92] = {};

/// The eight corners of each lane's cell, and where in it the lane is.
struct FieldCells {
    const float* corner[8];
    alignas(32) float flat[8];      ///< distance of lanes without a brick
    alignas(32) float in_brick[8];  ///< 0 for those, -1 for others: a mask by its sign
    F8 tx, ty, tz;
};

SPINDRIFT_INLINE void find_cells(const collision::FieldView& field, F8 x, F8 y, F8 z, FieldCells& cells) {
    const F8 fx = floor(x), fy = floor(y), fz = floor(z);
    cells.tx = x - fx, cells.ty = y - fy, cells.tz = z - fz;
    alignas(32) float lx[8], ly[8], lz[8];
    store(lx, fx), store(ly, fy), store(lz, fz);
    const float limit[3] = {static_cast<float>(field.bricks[0] * collision::brick_cells),
                            static_cast<float>(field.bricks[1] * collision::brick_cells),
                            static_cast<float>(field.bricks[2] * collision::brick_cells)};
    for (int lane = 0; lane < 8; ++lane) {
        const bool within = lx[lane] >= 0 && ly[lane] >= 0 && lz[lane] >= 0 && lx[lane] < limit[0] &&
                            ly[lane] < limit[1] && lz[lane] < limit[2];
        std::int32_t brick = field.beyond;
        unsigned i = 0, j = 0, k = 0;
        if (within) {
            i = static_cast<unsigned>(lx[lane]), j = static_cast<unsigned>(ly[lane]),
            k = static_cast<unsigned>(lz[lane]);
            brick = field.table[((k >> 3) * static_cast<unsigned>(field.bricks[1]) + (j >> 3)) *
                                    static_cast<unsigned>(field.bricks[0]) +
                                (i >> 3)];
        }
        const std::size_t node = ((k & 7) * collision::brick_side + (j & 7)) * collision::brick_side + (i & 7);
        cells.corner[lane] =
            brick < 0 ? no_nodes : field.distance + static_cast<std::size_t>(brick) * collision::brick_nodes + node;
        cells.in_brick[lane] = brick < 0 ? 0.f : -1.f;
        cells.flat[lane] = brick == collision::solid_block ? field.solid_distance : field.free_distance;
    }
}

SPINDRIFT_INLINE F8 blend(F8 a, F8 b, F8 t) {
    return fmadd(b - a, t, a);
}

/// Values at the eight corners of each lane's cell: x runs fastest in low (z = 0) and high (z = 1).
struct Corners {
    F8x4 low, high;
};

SPINDRIFT_INLINE Corners load_corners(const FieldCells& cells) {
    constexpr int y = collision::brick_side, z = collision::brick_side * collision::brick_side;
    __m128 low[8], high[8];
    for (int lane = 0; lane < 8; ++lane) {
        const float* n = cells.corner[lane];
        low[lane] = load_pairs(n, n + y);
        high[lane] = load_pairs(n + z, n + z + y);
    }
    return {transpose(low), transpose(high)};
}

SPINDRIFT_INLINE FieldContact contact_with(const collision::WallField& wall, const F8x4& p) {
    FieldCells cells;
    find_cells(wall.field, row_of(wall.now, 0, p), row_of(wall.now, 1, p), row_of(wall.now, 2, p), cells);
    const auto [a, b] = load_corners(cells);
    // Corners x0 y0, x1 y0, x0 y1, x1 y1 at the cell's height, then along y and x.
    const F8 c00 = blend(a.x, b.x, cells.tz), c10 = blend(a.y, b.y, cells.tz);
    const F8 c01 = blend(a.z, b.z, cells.tz), c11 = blend(a.w, b.w, cells.tz);
    const F8 x0 = blend(c00, c01, cells.ty), x1 = blend(c10, c11, cells.ty);
    const F8 gx = x1 - x0, gy = blend(c01 - c00, c11 - c10, cells.tx);
    const F8 gz = blend(blend(b.x - a.x, b.y - a.y, cells.tx), blend(b.z - a.z, b.w - a.w, cells.tx), cells.ty);
    const F8 in_brick = load(cells.in_brick), zero(0.f);
    FieldContact c;
    c.s = select(in_brick, blend(x0, x1, cells.tx), load(cells.flat)) * F8(wall.cell);
    const auto& m = wall.back.m;
    const F8 nx = fmadd(F8(m[0][0]), gx, fmadd(F8(m[0][1]), gy, F8(m[0][2]) * gz));
    const F8 ny = fmadd(F8(m[1][0]), gx, fmadd(F8(m[1][1]), gy, F8(m[1][2]) * gz));
    const F8 nz = fmadd(F8(m[2][0]), gx, fmadd(F8(m[2][1]), gy, F8(m[2][2]) * gz));
    const F8 size2 = fmadd(nx, nx, fmadd(ny, ny, fmadd(nz, nz, F8(1e-20f))));
    const F8 inverse = select(in_brick, F8(1.f) / sqrt(size2), zero);
    c.x = nx * inverse, c.y = ny * inverse, c.z = nz * inverse;
    return c;
}

/// Lanes, as bits, whose way may meet the field; see WallField::is_clear.
SPINDRIFT_INLINE int meets(const collision::WallField& wall, const F8x4& from, const F8x4& to) {
    const Box3f& box = wall.bounds;
    const F8 outside = max(max(max(F8(box.lo.x) - max(from.x, to.x), min(from.x, to.x) - F8(box.hi.x)),
                               max(F8(box.lo.y) - max(from.y, to.y), min(from.y, to.y) - F8(box.hi.y))),
                           max(F8(box.lo.z) - max(from.z, to.z), min(from.z, to.z) - F8(box.hi.z)));
    const int within = mask(outside < F8(0.f));
    if (within == 0) return 0;
    const F8 x = row_of(wall.before, 0, from), y = row_of(wall.before, 1, from), z = row_of(wall.before, 2, from);
    FieldCells cells;
    find_cells(wall.field, x, y, z, cells);
    const auto [a, b] = load_corners(cells);
    const F8 x0 = blend(blend(a.x, b.x, cells.tz), blend(a.z, b.z, cells.tz), cells.ty);
    const F8 x1 = blend(blend(a.y, b.y, cells.tz), blend(a.w, b.w, cells.tz), cells.ty);
    const F8 s = select(load(cells.in_brick), blend(x0, x1, cells.tx), load(cells.flat));
    const F8 dx = row_of(wall.now, 0, to) - x, dy = row_of(wall.now, 1, to) - y, dz = row_of(wall.now, 2, to) - z;
    const F8 way = sqrt(fmadd(dx, dx, fmadd(dy, dy, dz * dz)));
    const F8 room = s - F8(collision::contact_gap / wall.cell + 2 * wall.most_shift);
    return within & ~mask(way < room);
}

}  // namespace

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
