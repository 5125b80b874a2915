#include "spindrift/geometry/topology.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "spindrift/core/random.h"

namespace spindrift::geometry {

std::vector<std::uint32_t> weld(std::span<const Vec3f> points) {
    constexpr std::uint32_t empty = 0xffffffff;
    std::vector<std::uint32_t> first(points.size()), table(std::bit_ceil(2 * points.size() + 16), empty);
    const std::size_t mask = table.size() - 1;
    // Compared by their bits, so that even points that are not numbers have equals; adding 0 makes one of two zeros.
    const auto bits = [&](std::uint32_t i) {
        const auto one = [](float v) { return std::bit_cast<std::uint32_t>(v + 0.f); };
        return std::array{one(points[i].x), one(points[i].y), one(points[i].z)};
    };
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto p = bits(i);
        std::size_t place = hash_counter(p[0], p[1], p[2]) & mask;
        while (table[place] != empty && bits(table[place]) != p)
            place = (place + 1) & mask;
        if (table[place] == empty) table[place] = i;
        first[i] = table[place];
    }
    return first;
}

EdgeCounts count_edges(std::span<const Triangle> triangles, std::size_t points) {
    // Edges stand at their lower point: the other point and, in the last bit, whether it runs downwards.
    std::vector<std::size_t> ends(points + 1, 0);
    const auto for_edges = [&](const auto& body) {
        for (const Triangle& t : triangles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                body(std::min(a, b), std::uint64_t{std::max(a, b)} << 1 | (a > b));
            }
        }
    };
    for_edges([&](std::uint32_t low, std::uint64_t) { ++ends[low + 1]; });
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint64_t> edges(3 * triangles.size());
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    for_edges([&](std::uint32_t low, std::uint64_t edge) { edges[next[low]++] = edge; });

    EdgeCounts counts;
    for (std::size_t p = 0; p < points; ++p) {
        const std::span<std::uint64_t> here(edges.data() + ends[p], edges.data() + ends[p + 1]);
        std::ranges::sort(here);
        for (std::size_t i = 0, j = 0; i < here.size(); i = j) {
            while (j < here.size() && here[i] >> 1 == here[j] >> 1)
                ++j;
            counts.open += j - i == 1;
            counts.non_manifold += j - i > 2;
            counts.mixed += j - i == 2 && here[i] == here[i + 1];
        }
    }
    return counts;
}

std::size_t count_pieces(std::span<const Triangle> triangles, std::size_t points) {
    std::vector<std::uint32_t> parent(points);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i)
            i = parent[i] = parent[parent[i]];
        return i;
    };
    std::vector<bool> used(points, false);
    for (const Triangle& t : triangles) {
        for (const std::uint32_t i : t)
            used[i] = true;
        for (std::size_t k = 1; k < 3; ++k) {
            const std::uint32_t a = root(t[0]), b = root(t[k]);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    std::size_t pieces = 0;
    for (std::uint32_t i = 0; i < points; ++i)
        pieces += used[i] && parent[i] == i;
    return pieces;
}

}  // namespace spindrift::geometry
