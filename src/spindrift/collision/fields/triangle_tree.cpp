#include "spindrift/collision/fields/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spindrift/collision/fields/triangle_distance.h"
#include "spindrift/core/interruption.h"

namespace spindrift::collision {

namespace {

constexpr std::uint32_t most_in_leaf = 8;

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

/// Cut in the middle of the triangles along the longest side of their box, so that the tree is no deeper than 32.
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

float TriangleTree::nearest(Vec3f p, float reach) const {
    double squared = std::numeric_limits<double>::infinity();
    float limit = reach;
    std::vector<std::uint32_t> open;
    if (!nodes_.empty()) open.push_back(0);
    while (!open.empty()) {
        const Node& node = nodes_[open.back()];
        open.pop_back();
        if (node.distance(p) > limit) continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const std::uint32_t t = order_[i];
            squared =
                std::min(squared, squared_distance(p, mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)));
            limit = std::min(limit, static_cast<float>(std::sqrt(squared)) * 1.0001f);
        }
        if (node.count > 0) continue;
        // The nearer one is looked at first.
        const bool swap = nodes_[node.first].distance(p) < nodes_[node.first + 1].distance(p);
        open.push_back(node.first + (swap ? 1 : 0));
        open.push_back(node.first + (swap ? 0 : 1));
    }
    const double distance = std::sqrt(squared);
    return distance <= static_cast<double>(reach) ? static_cast<float>(distance)
                                                  : std::numeric_limits<float>::infinity();
}

}  // namespace spindrift::collision
