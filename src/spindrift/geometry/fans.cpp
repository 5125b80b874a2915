#include "spindrift/geometry/fans.h"

#include <algorithm>
#include <limits>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::geometry {

namespace {

/// Above this many, sorting by insertion is slower.
constexpr std::size_t few = 32;

void sort_few(std::vector<std::uint64_t>& values) {
    if (values.size() > few) {
        std::ranges::sort(values);
        return;
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
        const std::uint64_t value = values[i];
        std::size_t k = i;
        for (; k > 0 && values[k - 1] > value; --k)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

/// Calls body(point, triangle, corner) for all corners in order of the triangles, each thread for its own points: the
/// result is the same for any number of them.
template <class Body>
void for_corners(std::span<const Triangle> triangles, std::size_t points, const Body& body) {
    const auto threads = static_cast<std::size_t>(thread_count());
    parallel_chunks(threads, [&](std::size_t c) {
        const auto low = static_cast<std::uint32_t>(points * c / threads);
        const auto count = static_cast<std::uint32_t>(points * (c + 1) / threads) - low;
        for (const Triangle& t : triangles) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (t[k] - low < count) body(t[k], t, k);
            }
        }
    });
}

}  // namespace

Fans make_fans(std::span<const Triangle> triangles, std::size_t points) {
    SPINDRIFT_CHECK(triangles.size() < std::numeric_limits<std::uint32_t>::max() / 3);
    const std::uint32_t most = parallel_reduce(
        triangles.size(), default_chunk, std::uint32_t{0},
        [&](Range range) {
            std::uint32_t result = 0;
            for (const std::size_t t : range)
                result = std::max({result, triangles[t][0], triangles[t][1], triangles[t][2]});
            return result;
        },
        [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
    SPINDRIFT_CHECK(triangles.empty() || most < points);

    // Counted one place later, and begun one place later, so that filling moves the beginnings to where they belong.
    Fans fans;
    fans.first.resize(points + 2);
    fans.wedges.resize(3 * triangles.size());
    std::uint32_t* first = fans.first.data();
    std::fill_n(first, points + 2, 0u);
    for_corners(triangles, points, [&](std::uint32_t p, const Triangle&, std::size_t) { ++first[p + 2]; });
    for (std::size_t p = 2; p < points + 2; ++p)
        first[p] += first[p - 1];
    for_corners(triangles, points, [&](std::uint32_t p, const Triangle& t, std::size_t k) {
        fans.wedges[first[p + 1]++] = {t[k == 2 ? 0 : k + 1], t[k == 0 ? 2 : k - 1]};
    });
    fans.first.resize(points + 1);
    return fans;
}

std::uint32_t FanEdges::root(std::uint32_t wedge) {
    while (parent_[wedge] != wedge)
        wedge = parent_[wedge] = parent_[parent_[wedge]];
    return wedge;
}

void FanEdges::find(std::span<const Wedge> fan) {
    // Each side of a wedge: the other point, the wedge, and whether the triangle runs towards the middle.
    sides_.clear();
    parent_.clear();
    edges_.clear();
    for (std::uint32_t w = 0; w < fan.size(); ++w) {
        sides_.push_back(std::uint64_t{fan[w].next} << 32 | w << 1);
        sides_.push_back(std::uint64_t{fan[w].previous} << 32 | w << 1 | 1);
        parent_.push_back(w);
    }
    sort_few(sides_);
    parts_ = fan.size();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        const auto other = static_cast<std::uint32_t>(sides_[i] >> 32);
        const bool again = !edges_.empty() && edges_.back().other == other;
        if (!again) edges_.push_back({other, 0, 0});
        ++(sides_[i] & 1 ? edges_.back().towards : edges_.back().away);
        if (!again) continue;
        const std::uint32_t a = root(static_cast<std::uint32_t>(sides_[i - 1]) >> 1);
        const std::uint32_t b = root(static_cast<std::uint32_t>(sides_[i]) >> 1);
        parent_[std::max(a, b)] = std::min(a, b);
        parts_ -= a != b;
    }
}

}  // namespace spindrift::geometry
