#include "spindrift/whitewater/disc_rows.h"

#include <bit>
#include <limits>

#include "spindrift/whitewater/cell_within.h"
#include "spindrift/whitewater/radix.h"

namespace spindrift::whitewater {

namespace {

/// Where a disc is.
struct Place {
    std::uint64_t key;
    std::uint32_t who;
};

Vec3i cell_of(Vec3f x, float per_cell) {
    return cell_within(x, per_cell, 1e6f);
}

Box3f box_of(std::span<const Disc> discs) {
    const Box3f first{discs.front().x, discs.front().x};
    const auto join = [](const Box3f& a, const Box3f& b) { return Box3f{min(a.lo, b.lo), max(a.hi, b.hi)}; };
    return parallel_reduce(
        discs.size(), default_chunk, first,
        [&](Range range) {
            Box3f own = first;
            for (const std::size_t i : range)
                own = join(own, {discs[i].x, discs[i].x});
            return own;
        },
        join);
}

}  // namespace

DiscRows::DiscRows(std::span<const Disc> of, float reach) : reach_(reach) {
    const float per_cell = 0.5f / reach;
    const Box3f box = box_of(of);
    // A free cell on both sides of each row: those beside a cell are never in the next row.
    const Vec3i lo = cell_of(box.lo, per_cell) - Vec3i{1, 1, 1}, span = cell_of(box.hi, per_cell) + Vec3i{1, 1, 1} - lo;
    const auto bits = [](int most) { return static_cast<int>(std::bit_width(static_cast<unsigned>(most))); };
    bits_x_ = bits(span.x);
    bits_xy_ = bits_x_ + bits(span.y);
    Buffer<Place> places("whitewater");
    places.resize(of.size());
    parallel_for(of.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3i cell = cell_of(of[i].x, per_cell) - lo;
            const auto wide = [](int a) { return static_cast<std::uint64_t>(a); };
            places[i] = {wide(cell.z) << bits_xy_ | wide(cell.y) << bits_x_ | wide(cell.x),
                         static_cast<std::uint32_t>(i)};
        }
    });
    sort_by_bits(places, bits_xy_ + bits(span.z), [](const Place& place) { return place.key; });
    discs.resize(of.size());
    who.resize(of.size());
    parallel_for(of.size(), [&](Range range) {
        for (const std::size_t i : range) {
            who[i] = places[i].who;
            discs[i] = of[places[i].who];
        }
    });
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i].key != places[i - 1].key) cells_.push_back({places[i].key, i});
    }
    cells_.push_back({std::numeric_limits<std::uint64_t>::max(), static_cast<std::uint32_t>(of.size())});
}

std::uint32_t DiscRows::find(std::uint64_t key) const {
    const auto found = std::lower_bound(cells_.begin(), cells_.end(), key,
                                        [](const Cell& cell, std::uint64_t wanted) { return cell.key < wanted; });
    return static_cast<std::uint32_t>(found - cells_.begin());
}

}  // namespace spindrift::whitewater
