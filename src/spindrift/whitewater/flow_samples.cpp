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

}  // namespace

inline const Float4* Flow::corner_of(Vec3f x, Cursor& cursor, Vec3f& t) const {
    const Vec3f p = x * per_h_ - Vec3f{0.5f, 0.5f, 0.5f};
    constexpr float limit = 1e9f;
    if (!(std::abs(p.x) < limit && std::abs(p.y) < limit && std::abs(p.z) < limit)) return nullptr;
    const Vec3i cell{floor_to_int(p.x), floor_to_int(p.y), floor_to_int(p.z)};
    t = p - vec_cast<float>(cell);
    const Vec3i coord{cell.x >> 3, cell.y >> 3, cell.z >> 3};
    if (!(coord == cursor.coord)) {
        const std::int32_t leaf = leaves_.find(coord);
        constexpr std::size_t size = seamed * seamed * seamed;
        cursor = {coord, leaf ? flow_.data() + static_cast<std::size_t>(leaf) * size : nullptr};
    }
    if (!cursor.values) return nullptr;
    return cursor.values + ((cell.z & 7) * seamed + (cell.y & 7)) * seamed + (cell.x & 7);
}

Flow::Sample Flow::at(Vec3f x, Cursor& cursor) const {
    Vec3f t;
    const Float4* const c = corner_of(x, cursor, t);
    if (!c) return {{}, far()};
    constexpr int up = seamed, on = seamed * seamed;
    const Four low = between(between(load(c[0]), load(c[1]), t.x), between(load(c[up]), load(c[up + 1]), t.x), t.y);
    const Four high =
        between(between(load(c[on]), load(c[on + 1]), t.x), between(load(c[on + up]), load(c[on + up + 1]), t.x), t.y);
    const Four all = between(low, high, t.z);
    return {{all[0], all[1], all[2]}, all[3]};
}

Flow::Surface Flow::surface_at(Vec3f x, Cursor& cursor) const {
    Surface out;
    out.phi = far();
    Vec3f t;
    const Float4* const c = corner_of(x, cursor, t);
    if (!c) return out;
    constexpr int up = seamed, on = seamed * seamed;
    // Along x first: four rows, and how each of them grows.
    const Four a = between(load(c[0]), load(c[1]), t.x), b = between(load(c[up]), load(c[up + 1]), t.x);
    const Four d = between(load(c[on]), load(c[on + 1]), t.x), e = between(load(c[on + up]), load(c[on + up + 1]), t.x);
    const Four low = between(a, b, t.y), high = between(d, e, t.y), all = between(low, high, t.z);
    out.v = {all[0], all[1], all[2]};
    out.phi = all[3];
    const auto grows = [&](int row) { return c[row + 1].w - c[row].w; };
    const float left = grows(0) + (grows(up) - grows(0)) * t.y, right = grows(on) + (grows(on + up) - grows(on)) * t.y;
    out.slope =
        Vec3f{left + (right - left) * t.z, (b[3] - a[3]) + ((e[3] - d[3]) - (b[3] - a[3])) * t.z, high[3] - low[3]} *
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
    const Flow::Sample a = flow_.before.at(x, before_), b = flow_.after.at(x, after_);
    const Flow::Sample plain{a.v * (1 - share) + b.v * share, a.phi * (1 - share) + b.phi * share};
    if (dot(plain.v, plain.v) * flow_.span * flow_.span < 1e-6f * flow_.before.h() * flow_.before.h()) return plain;
    return at(x, share, plain.v);
}

Flow::Sample FlowReader::at(Vec3f x, float share, Vec3f v) {
    if (share >= 1) return flow_.after.at(x, after_);
    if (share <= 0) return flow_.before.at(x, before_);
    const Flow::Sample a = flow_.before.at(x - v * (share * flow_.span), before_),
                       b = flow_.after.at(x + v * ((1 - share) * flow_.span), after_);
    return {a.v * (1 - share) + b.v * share, a.phi * (1 - share) + b.phi * share};
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
