// Looking at a flow: between its cells, and between two frames.

#include <cmath>

#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/four.h"

namespace spindrift::whitewater {

namespace {

using neighbors::floor_to_int;

/// Cells of a leaf with its seam along an axis; see flow.cpp.
constexpr int seamed = grid::leaf_width + 1;

Four between(Four a, Four b, float t) {
    return a + (b - a) * t;
}

Flow::Sample as_sample(Four values) {
    return {{values[0], values[1], values[2]}, values[3]};
}

}  // namespace

inline const Float4* Flow::corner_of(Vec3f x, Cursor& cursor, Four& t) const {
    const Four p = Four{x.x, x.y, x.z, 0} * per_h_ - 0.5f;
    const FourInts cell = floor_of(p), coord = cell >> 3;
    t = p - __builtin_convertvector(cell, Four);
    if (!is_same(coord, cursor.coord)) [[unlikely]]
        look_for(cursor, coord);
    if (!cursor.values) return nullptr;
    return cursor.values + ((cell[2] & 7) * seamed + (cell[1] & 7)) * seamed + (cell[0] & 7);
}

[[gnu::noinline]] void Flow::look_for(Cursor& cursor, FourInts coord) const {
    cursor = {coord, nullptr};
    constexpr int limit = 1 << 27;
    for (int a = 0; a < 3; ++a) {
        if (coord[a] < -limit || coord[a] >= limit) return;
    }
    const auto leaf = static_cast<std::size_t>(leaves_.find({coord[0], coord[1], coord[2]}));
    if (leaf != 0) cursor.values = flow_.data() + leaf * (seamed * seamed * seamed);
}

inline Four Flow::values_at(Vec3f x, Cursor& cursor) const {
    Four t;
    const Float4* const c = corner_of(x, cursor, t);
    if (!c) return Four{0, 0, 0, far()};
    constexpr int up = seamed, on = seamed * seamed;
    const Four a = between(load(c[0]), load(c[1]), t[0]), b = between(load(c[up]), load(c[up + 1]), t[0]);
    const Four d = between(load(c[on]), load(c[on + 1]), t[0]),
               e = between(load(c[on + up]), load(c[on + up + 1]), t[0]);
    return between(between(a, b, t[1]), between(d, e, t[1]), t[2]);
}

Flow::Sample Flow::at(Vec3f x, Cursor& cursor) const {
    return as_sample(values_at(x, cursor));
}

Flow::Surface Flow::surface_at(Vec3f x, Cursor& cursor) const {
    Surface out;
    out.phi = far();
    Four t;
    const Float4* const c = corner_of(x, cursor, t);
    if (!c) return out;
    constexpr int up = seamed, on = seamed * seamed;
    // Along x first: four rows, and how each of them grows.
    const Four a = between(load(c[0]), load(c[1]), t[0]), b = between(load(c[up]), load(c[up + 1]), t[0]);
    const Four d = between(load(c[on]), load(c[on + 1]), t[0]),
               e = between(load(c[on + up]), load(c[on + up + 1]), t[0]);
    const Four low = between(a, b, t[1]), high = between(d, e, t[1]), all = between(low, high, t[2]);
    out.v = {all[0], all[1], all[2]};
    out.phi = all[3];
    const auto grows = [&](int row) { return c[row + 1].w - c[row].w; };
    const float left = grows(0) + (grows(up) - grows(0)) * t[1],
                right = grows(on) + (grows(on + up) - grows(on)) * t[1];
    out.slope =
        Vec3f{left + (right - left) * t[2], (b[3] - a[3]) + ((e[3] - d[3]) - (b[3] - a[3])) * t[2], high[3] - low[3]} *
        per_h_;
    return out;
}

Flow::Sample Flow::at(Vec3f x) const {
    Cursor cursor;
    return at(x, cursor);
}

Flow::Surface Flow::surface_at(Vec3f x) const {
    Cursor cursor;
    return surface_at(x, cursor);
}

Crests::Crest Flow::crest_at(Vec3f x) const {
    if (!has_crests_) return {};
    const Vec3f p = x * per_h_;
    const Vec3i cell{floor_to_int(p.x), floor_to_int(p.y), floor_to_int(p.z)};
    const std::int32_t leaf = leaves_.find({cell.x >> 3, cell.y >> 3, cell.z >> 3});
    if (leaf == 0) return {};
    return crests_.at(static_cast<std::size_t>(leaf), grid::cell_index(cell.x & 7, cell.y & 7, cell.z & 7));
}

Flow::Sample FlowReader::at(Vec3f x, float share) {
    if (share >= 1) return flow_.after.at(x, after_);
    const Flow::Sample plain =
        as_sample(between(flow_.before.values_at(x, before_), flow_.after.values_at(x, after_), share));
    if (dot(plain.v, plain.v) * flow_.span * flow_.span < 1e-6f * flow_.before.h() * flow_.before.h()) return plain;
    return at(x, share, plain.v);
}

Flow::Sample FlowReader::at(Vec3f x, float share, Vec3f v) {
    if (share >= 1) return flow_.after.at(x, after_);
    if (share <= 0) return flow_.before.at(x, before_);
    return as_sample(between(flow_.before.values_at(x - v * (share * flow_.span), before_),
                             flow_.after.values_at(x + v * ((1 - share) * flow_.span), after_), share));
}

Flow::Surface FlowReader::surface_at(Vec3f x, float share, Vec3f v) {
    if (share >= 1) return flow_.after.surface_at(x, after_);
    if (share <= 0) return flow_.before.surface_at(x, before_);
    const Flow::Surface a = flow_.before.surface_at(x - v * (share * flow_.span), before_),
                        b = flow_.after.surface_at(x + v * ((1 - share) * flow_.span), after_);
    Flow::Surface out;
    out.v = a.v * (1 - share) + b.v * share;
    out.phi = a.phi * (1 - share) + b.phi * share;
    out.slope = a.slope * (1 - share) + b.slope * share;
    return out;
}

}  // namespace spindrift::whitewater
