#include "spindrift/geometry/topology.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "spindrift/core/parallel.h"
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
    const Fans fans = make_fans(triangles, points);
    const auto count = [&](Range range) {
        EdgeCounts counts;
        FanEdges around;
        for (const std::size_t p : range) {
            around.find(fans.at(p));
            for (const FanEdge& edge : around.edges()) {
                if (edge.other > p) counts.add(edge);
            }
        }
        return counts;
    };
    return parallel_reduce(points, default_chunk, EdgeCounts{}, count, [](EdgeCounts a, const EdgeCounts& b) {
        a.open += b.open;
        a.non_manifold += b.non_manifold;
        a.mixed += b.mixed;
        return a;
    });
}

Pieces label_pieces(std::span<const Triangle> triangles, std::size_t points) {
    std::vector<std::uint32_t> parent(points);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i)
            i = parent[i] = parent[parent[i]];
        return i;
    };
    std::vector<std::uint8_t> used(points, 0);
    for (const Triangle& t : triangles) {
        std::uint32_t low = root(t[0]);
        for (const std::uint32_t i : t) {
            used[i] = 1;
            const std::uint32_t other = root(i);
            parent[std::max(low, other)] = std::min(low, other);
            low = std::min(low, other);
        }
    }
    // Roots are the lowest points of their pieces, so a point's root has its label before the point looks it up.
    Pieces pieces{.of_point = std::move(parent)};
    for (std::uint32_t i = 0; i < points; ++i) {
        std::uint32_t& label = pieces.of_point[i];
        if (!used[i])
            label = Pieces::none;
        else if (label == i)
            label = static_cast<std::uint32_t>(pieces.count++);
        else
            label = pieces.of_point[label];
    }
    return pieces;
}

}  // namespace spindrift::geometry
