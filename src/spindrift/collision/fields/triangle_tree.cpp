#include "spindrift/collision/fields/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/interruption.h"

namespace spindrift::collision {

namespace {

constexpr std::uint32_t most_in_leaf = 8;
/// Halves of as many triangles as there can be.
constexpr std::size_t deepest = 32;
/// By which the distance of a triangle may be less than that of its box, in cells.
constexpr float rounding = 1e-3f;

}  // namespace

TriangleTree::TriangleTree(const CellMesh& mesh, const std::vector<std::uint8_t>& wanted) : mesh_(mesh) {
    for (std::uint32_t t = 0; t < mesh.discs.size(); ++t) {
        if (wanted[t]) order_.push_back(t);
    }
    if (order_.empty()) return;
    nodes_.reserve(order_.size());
    nodes_.emplace_back();
    build(0, 0, static_cast<std::uint32_t>(order_.size()));
}

/// Cut in the middle of the triangles along the longest side of their box, so that the tree is no deeper than
/// `deepest`.
void TriangleTree::build(std::uint32_t at, std::uint32_t first, std::uint32_t last) {
    stop_if_interrupted();
    Node node{mesh_.corner(order_[first], 0), mesh_.corner(order_[first], 0), first, last - first};
    for (std::uint32_t i = first; i < last; ++i) {
        for (int k = 0; k < 3; ++k) {
            node.lo = min(node.lo, mesh_.corner(order_[i], k));
            node.hi = max(node.hi, mesh_.corner(order_[i], k));
        }
    }
    if (node.count <= most_in_leaf) {
        nodes_[at] = node;
        return;
    }
    const Vec3f size = node.hi - node.lo;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const float at_a = mesh_.discs[a].center[axis], at_b = mesh_.discs[b].center[axis];
                         return at_a != at_b ? at_a < at_b : a < b;
                     });
    node.first = static_cast<std::uint32_t>(nodes_.size());
    node.count = 0;
    nodes_[at] = node;
    nodes_.resize(nodes_.size() + 2);
    build(node.first, first, middle);
    build(node.first + 1, middle, last);
}

TriangleTree::Found TriangleTree::nearest(Vec3f p, float reach) const {
    Found found;
    float limit = reach;
    // Of each level at most one node waits.
    std::array<std::uint32_t, deepest + 2> open;
    std::size_t count = 0;
    if (!nodes_.empty()) open[count++] = 0;
    while (count > 0) {
        const Node& node = nodes_[open[--count]];
        if (node.distance(p) > limit) continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const std::uint32_t t = order_[i];
            const double squared = squared_distance(p, mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2));
            if (squared > found.squared || (squared == found.squared && t > found.triangle)) continue;
            found = {squared, t};
            limit = std::min(limit, found.distance() * 1.0001f + rounding);
        }
        if (node.count > 0) continue;
        // The nearer one is looked at first.
        const bool swap = nodes_[node.first].distance(p) < nodes_[node.first + 1].distance(p);
        open[count++] = node.first + (swap ? 1 : 0);
        open[count++] = node.first + (swap ? 0 : 1);
    }
    return found.squared <= static_cast<double>(reach) * static_cast<double>(reach) ? found : Found{};
}

}  // namespace spindrift::collision
