#pragma once
// Triangles in a tree of boxes: which are near a point, in a time that hardly depends on how many there are.
//
//   TriangleTree tree(cells, wanted);
//   float distance = tree.nearest(point, reach).distance();                   // infinite if none is so near
//   tree.visit_within(point, distance + 2, [&](std::uint32_t triangle) { ... });

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "spindrift/collision/fields/field_layout.h"

namespace spindrift::collision {

class TriangleTree {
  public:
    /// Takes the triangles whose entry of `wanted` is not 0. The mesh must outlive it.
    TriangleTree(const CellMesh& mesh, const std::vector<std::uint8_t>& wanted);

    struct Found {
        double squared = std::numeric_limits<double>::infinity();
        std::uint32_t triangle = std::numeric_limits<std::uint32_t>::max();

        float distance() const { return static_cast<float>(std::sqrt(squared)); }
    };
    /// The nearest triangle that is not farther than `reach`, the first of equals; infinitely far if there is none.
    Found nearest(Vec3f p, float reach) const;

    /// Calls visit(triangle) for all within a distance, and for some that are a little farther.
    template <class Visit>
    void visit_within(Vec3f p, float distance, const Visit& visit) const {
        if (!nodes_.empty()) visit_node(0, p, distance, visit);
    }

  private:
    /// A node without children has `count` triangles from `first` on; others have them at `first` and `first + 1`.
    struct Node {
        Vec3f lo, hi;
        std::uint32_t first = 0, count = 0;

        float distance(Vec3f p) const { return length(max(max(lo - p, p - hi), Vec3f{})); }
    };

    void build(std::uint32_t node, std::uint32_t first, std::uint32_t last);

    template <class Visit>
    void visit_node(std::uint32_t at, Vec3f p, float distance, const Visit& visit) const {
        const Node& node = nodes_[at];
        if (node.distance(p) > distance) return;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            visit(order_[i]);
        if (node.count > 0) return;
        visit_node(node.first, p, distance, visit);
        visit_node(node.first + 1, p, distance, visit);
    }

    const CellMesh& mesh_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace spindrift::collision
