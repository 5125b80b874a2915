#include "spindrift/collision/fields/open_edges.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace spindrift::collision {

namespace {

/// For each point the first of those in the same place.
std::vector<std::uint32_t> weld(const std::vector<Vec3f>& points) {
    std::vector<std::uint32_t> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t i) { return std::tuple(points[i].x, points[i].y, points[i].z); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && points[order[i]] == points[order[i - 1]];
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    return first;
}

}  // namespace

std::size_t count_open_edges(const geometry::Mesh& mesh) {
    const std::vector<std::uint32_t> place = weld(mesh.points);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    edges.reserve(mesh.triangles.size() * 3);
    for (const geometry::Triangle& triangle : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = place[triangle[i]], b = place[triangle[(i + 1) % 3]];
            if (a != b) edges.emplace_back(std::min(a, b), std::max(a, b));
        }
    }
    std::sort(edges.begin(), edges.end());
    std::size_t open = 0;
    for (std::size_t i = 0, next = 0; i < edges.size(); i = next) {
        while (next < edges.size() && edges[next] == edges[i])
            ++next;
        open += next - i == 1;
    }
    return open;
}

}  // namespace spindrift::collision
