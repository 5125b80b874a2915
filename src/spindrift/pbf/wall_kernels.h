#pragma once
// Walls for eight particles at once; for files built per instruction set. Lengths in support radii.
// Source: docs/decisions/0005. Symbols: s distance from a half-space.
//
//   Boundary b = boundary(walls, near, p);    // b.share of the support is behind walls, they push along (b.x, b.y,
//   b.z)

#include "spindrift/core/simd.h"
#include "spindrift/pbf/field_kernels.h"
#include "spindrift/pbf/kernels.h"

namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

SPINDRIFT_INLINE F8 clamp(F8 a, float lo, float hi) {
    return min(max(a, F8(lo)), F8(hi));
}

/// Share of the poly6 support beyond a plane at distance s.
SPINDRIFT_INLINE F8 half_space_share(F8 distance) {
    const F8 s = clamp(distance, -1, 1), s2 = s * s;
    F8 p = fmadd(s2, F8(1.f / 9), F8(-4.f / 7));
    p = fmadd(s2, p, F8(6.f / 5));
    p = fmadd(s2, p, F8(-4.f / 3));
    p = fmadd(s2, p, F8(1.f));
    return fnmadd(F8(315.f / 256) * s, p, F8(0.5f));
}

/// Integral of the spiky kernel over a plane at distance s: the push of a half-space, consistent with the pair term.
SPINDRIFT_INLINE F8 half_space_push(F8 distance) {
    const F8 u = F8(1.f) - min(max(distance, F8(0.f) - distance), F8(1.f));
    const F8 u2 = u * u;
    return F8(30.f) * u2 * u2 * fnmadd(F8(0.2f), u, F8(0.25f));
}

/// Pairs closer than 0.9 spacings are pushed apart beyond what density asks for: 1 - r there.
constexpr float separation_start = 0.55f;

struct Boundary {
    F8 share, x, y, z;  ///< share of the support behind walls and the direction it pushes, |grad| long
    F8 sx, sy, sz;      ///< push away from faces nearer than half a spacing, as if a mirror image stood behind them
};

/// The separation term of a pair, seen from a particle and its mirror image behind a wall at distance s.
/// Nothing from behind the wall, where another face is nearer.
SPINDRIFT_INLINE F8 mirror_push(F8 distance) {
    const F8 t = min(fnmadd(F8(2.f), distance, F8(1.f)), F8(1.f));
    const F8 close = max(t - F8(separation_start), F8(0.f));
    return select(distance < F8(0.f), F8(0.f), close * close * t * t);
}

/// Share of one axis of a box, and its derivative.
SPINDRIFT_INLINE void box_axis(F8 x, float lo, float hi, F8& share, F8& slope) {
    const F8 from_lo = x - F8(lo), to_hi = F8(hi) - x;
    share = F8(1.f) - half_space_share(from_lo) - half_space_share(to_hi);
    slope = half_space_push(from_lo) - half_space_push(to_hi);
}

/// Push off the two faces of an axis, from inside for the domain, from outside for a solid.
SPINDRIFT_INLINE F8 axis_separation(F8 x, float lo, float hi, bool solid) {
    const F8 from_lo = x - F8(lo), to_hi = F8(hi) - x;
    if (!solid) return mirror_push(from_lo) - mirror_push(to_hi);
    return mirror_push(F8(0.f) - to_hi) - mirror_push(F8(0.f) - from_lo);
}

/// The inside of a box fills the product of its axes' shares: exact for faces, close at edges, thin boxes included.
SPINDRIFT_INLINE void add_box(const collision::WallBox& box, const F8x4& p, Boundary& b) {
    F8 bx, by, bz, gx, gy, gz;
    box_axis(p.x, box.lo[0], box.hi[0], bx, gx);
    box_axis(p.y, box.lo[1], box.hi[1], by, gy);
    box_axis(p.z, box.lo[2], box.hi[2], bz, gz);
    const F8 inside = bx * by * bz;
    const F8 sign(box.solid ? -1.f : 1.f);
    b.share = b.share + (box.solid ? inside : F8(1.f) - inside);
    b.x = fmadd(sign * gx, by * bz, b.x);
    b.y = fmadd(sign * gy, bx * bz, b.y);
    b.z = fmadd(sign * gz, bx * by, b.z);
    b.sx = fmadd(axis_separation(p.x, box.lo[0], box.hi[0], box.solid), by * bz, b.sx);
    b.sy = fmadd(axis_separation(p.y, box.lo[1], box.hi[1], box.solid), bx * bz, b.sy);
    b.sz = fmadd(axis_separation(p.z, box.lo[2], box.hi[2], box.solid), bx * by, b.sz);
}

SPINDRIFT_INLINE void add_plane(const collision::WallPlane& plane, const F8x4& p, Boundary& b) {
    const F8 nx(plane.normal[0]), ny(plane.normal[1]), nz(plane.normal[2]);
    const F8 s = fmadd(nx, p.x, fmadd(ny, p.y, nz * p.z)) - F8(plane.offset);
    const F8 push = half_space_push(s);
    b.share = b.share + half_space_share(s);
    b.x = fmadd(push, nx, b.x);
    b.y = fmadd(push, ny, b.y);
    b.z = fmadd(push, nz, b.z);
    const F8 apart = mirror_push(s);
    b.sx = fmadd(apart, nx, b.sx);
    b.sy = fmadd(apart, ny, b.sy);
    b.sz = fmadd(apart, nz, b.sz);
}

/// What walls a cluster is near.
struct NearWalls {
    bool plain;                         ///< boxes and planes
    std::uint32_t first = 0, last = 0;  ///< its contacts with fields

    bool any() const { return plain || first < last; }
};

SPINDRIFT_INLINE float* known_of(const ContactView& contacts, std::uint32_t contact) {
    return contacts.known + contact_floats * contact;
}

/// Share of the support behind a field: as of a half-space at its distance, or of a plate if it is a shell.
SPINDRIFT_INLINE F8 field_share(const collision::WallField& wall, F8 s) {
    const F8 share = half_space_share(s);
    return wall.thickness == 0 ? share : share - half_space_share(s + F8(wall.thickness));
}

SPINDRIFT_INLINE void add_field(const collision::WallField& wall, const FieldContact& c, Boundary& b) {
    F8 push = half_space_push(c.s);
    if (wall.thickness != 0) push = push - half_space_push(c.s + F8(wall.thickness));
    const F8 apart = mirror_push(c.s);
    b.share = b.share + field_share(wall, c.s);
    b.x = fmadd(push, c.x, b.x);
    b.y = fmadd(push, c.y, b.y);
    b.z = fmadd(push, c.z, b.z);
    b.sx = fmadd(apart, c.x, b.sx);
    b.sy = fmadd(apart, c.y, b.sy);
    b.sz = fmadd(apart, c.z, b.sz);
}

SPINDRIFT_INLINE Boundary no_boundary() {
    const F8 zero(0.f);
    return {zero, zero, zero, zero, zero, zero, zero};
}

SPINDRIFT_INLINE void add_plain_walls(const WallView& walls, const F8x4& p, Boundary& b) {
    for (std::uint32_t k = 0; k < walls.box_count; ++k)
        add_box(walls.boxes[k], p, b);
    for (std::uint32_t k = 0; k < walls.plane_count; ++k)
        add_plane(walls.planes[k], p, b);
}

SPINDRIFT_INLINE void store_contact(float* at, const FieldContact& c) {
    store(at, c.s), store(at + 8, c.x), store(at + 16, c.y), store(at + 24, c.z);
}

SPINDRIFT_INLINE FieldContact load_contact(const float* at) {
    return {load(at), load(at + 8), load(at + 16), load(at + 24)};
}

/// What is found of fields is kept for the correction.
[[maybe_unused]] Boundary boundary(const WallView& walls, const NearWalls& near, const F8x4& p,
                                   const ContactView& contacts) {
    Boundary b = no_boundary();
    if (near.plain) add_plain_walls(walls, p, b);
    for (std::uint32_t k = near.first; k < near.last; ++k) {
        const collision::WallField& wall = walls.fields[contacts.field[k]];
        const FieldContact contact = contact_with(wall, p);
        add_field(wall, contact, b);
        store_contact(known_of(contacts, k), contact);
    }
    b.share = min(b.share, F8(1.f));
    return b;
}

/// Share of the support behind walls, each weighted with its friction, and that times the walls' velocities.
struct Roughness {
    F8 share, x, y, z;
};

/// The motion of a field's points, and its friction, lane by lane where they differ between places.
SPINDRIFT_INLINE Roughness field_roughness(const collision::WallField& wall, const F8x4& p) {
    Roughness r{F8(wall.surface.friction), F8(wall.velocity.x), F8(wall.velocity.y), F8(wall.velocity.z)};
    const F8 sx(wall.spin.x), sy(wall.spin.y), sz(wall.spin.z);
    r.x = fmadd(sy, p.z, fnmadd(sz, p.y, r.x));
    r.y = fmadd(sz, p.x, fnmadd(sx, p.z, r.y));
    r.z = fmadd(sx, p.y, fnmadd(sy, p.x, r.z));
    if (wall.friction || wall.deformation) {
        alignas(32) float at[3][8], lane[4][8];
        store(at[0], p.x), store(at[1], p.y), store(at[2], p.z);
        for (int k = 0; k < 8; ++k) {
            const Vec3f x{at[0][k], at[1][k], at[2][k]};
            const Vec3f v = wall.velocity_at(x);
            lane[0][k] = wall.surface_at(x).friction;
            lane[1][k] = v.x, lane[2][k] = v.y, lane[3][k] = v.z;
        }
        r = {load(lane[0]), load(lane[1]), load(lane[2]), load(lane[3])};
    }
    r.share = r.share * field_share(wall, contact_with(wall, p).s);
    return {r.share, r.share * r.x, r.share * r.y, r.share * r.z};
}

/// Bodies are left out: what they drag is their own business (Solver::meet_bodies).
[[maybe_unused]] Roughness wall_roughness(const WallView& walls, const NearWalls& near, const F8x4& p,
                                          const ContactView& contacts) {
    Roughness rough{F8(0.f), F8(0.f), F8(0.f), F8(0.f)};
    for (std::uint32_t k = 0; near.plain && k < walls.box_count; ++k) {
        const collision::WallBox& box = walls.boxes[k];
        if (box.surface.friction == 0) continue;
        F8 bx, by, bz, slope;
        box_axis(p.x, box.lo[0], box.hi[0], bx, slope);
        box_axis(p.y, box.lo[1], box.hi[1], by, slope);
        box_axis(p.z, box.lo[2], box.hi[2], bz, slope);
        const F8 filled = bx * by * bz;
        rough.share = fmadd(F8(box.surface.friction), box.solid ? filled : F8(1.f) - filled, rough.share);
    }
    for (std::uint32_t k = 0; near.plain && k < walls.plane_count; ++k) {
        const collision::WallPlane& plane = walls.planes[k];
        if (plane.surface.friction == 0) continue;
        const F8 nx(plane.normal[0]), ny(plane.normal[1]), nz(plane.normal[2]);
        const F8 s = fmadd(nx, p.x, fmadd(ny, p.y, nz * p.z)) - F8(plane.offset);
        rough.share = fmadd(F8(plane.surface.friction), half_space_share(s), rough.share);
    }
    for (std::uint32_t k = near.first; k < near.last; ++k) {
        const collision::WallField& wall = walls.fields[contacts.field[k]];
        if (wall.surface.friction == 0 || wall.body >= 0) continue;
        const Roughness part = field_roughness(wall, p);
        rough = {rough.share + part.share, rough.x + part.x, rough.y + part.y, rough.z + part.z};
    }
    return rough;
}

/// Keeps a move from p to `next` on the free side of the plane through the nearest point of the field's surface: no
/// thin sheet is crossed, and a particle that is inside comes out. Returns by how much it had to move along c.
SPINDRIFT_INLINE F8 keep_off(const FieldContact& c, const F8x4& p, F8x4& next) {
    const F8 along = fmadd(next.x - p.x, c.x, fmadd(next.y - p.y, c.y, (next.z - p.z) * c.z));
    const F8 missing = max(F8(collision::contact_gap) - c.s - along, F8(0.f));
    next.x = fmadd(missing, c.x, next.x);
    next.y = fmadd(missing, c.y, next.y);
    next.z = fmadd(missing, c.z, next.z);
    return missing;
}

SPINDRIFT_INLINE void keep_inside(const collision::WallBox& box, F8x4& p) {
    constexpr float gap = collision::contact_gap;
    p.x = clamp(p.x, box.lo[0] + gap, box.hi[0] - gap);
    p.y = clamp(p.y, box.lo[1] + gap, box.hi[1] - gap);
    p.z = clamp(p.z, box.lo[2] + gap, box.hi[2] - gap);
}

/// Out of a solid box through the nearest face.
SPINDRIFT_INLINE void keep_outside(const collision::WallBox& box, F8x4& p) {
    constexpr float gap = collision::contact_gap;
    const F8 zero(0.f);
    F8* coordinate[3] = {&p.x, &p.y, &p.z};
    F8 depth(1e30f), target[3], axis_depth[3];
    for (int a = 0; a < 3; ++a) {
        const F8 below = *coordinate[a] - F8(box.lo[a] - gap), above = F8(box.hi[a] + gap) - *coordinate[a];
        target[a] = select(below < above, F8(box.lo[a] - gap), F8(box.hi[a] + gap));
        axis_depth[a] = min(below, above);
        depth = min(depth, axis_depth[a]);
    }
    // Inside means a positive depth on every axis; only the shallowest axis moves.
    F8 pending = zero < depth;
    for (int a = 0; a < 3; ++a) {
        const F8 shallowest = select(depth < axis_depth[a], zero, pending);
        *coordinate[a] = select(shallowest, target[a], *coordinate[a]);
        pending = select(shallowest, zero, pending);
    }
}

SPINDRIFT_INLINE void keep_above(const collision::WallPlane& plane, F8x4& p) {
    const F8 nx(plane.normal[0]), ny(plane.normal[1]), nz(plane.normal[2]);
    const F8 s = fmadd(nx, p.x, fmadd(ny, p.y, nz * p.z)) - F8(plane.offset);
    const F8 depth = max(F8(collision::contact_gap) - s, F8(0.f));
    p.x = fmadd(depth, nx, p.x);
    p.y = fmadd(depth, ny, p.y);
    p.z = fmadd(depth, nz, p.z);
}

[[maybe_unused]] void keep_out_of_walls(const WallView& walls, F8x4& p) {
    for (std::uint32_t k = 0; k < walls.plane_count; ++k)
        keep_above(walls.planes[k], p);
    for (std::uint32_t k = 0; k < walls.box_count; ++k) {
        if (walls.boxes[k].solid) keep_outside(walls.boxes[k], p);
    }
    for (std::uint32_t k = 0; k < walls.box_count; ++k) {
        if (!walls.boxes[k].solid) keep_inside(walls.boxes[k], p);
    }
}

}  // namespace

}  // namespace spindrift::pbf::SPINDRIFT_ISA_NAMESPACE
