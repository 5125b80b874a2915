#pragma once
// Exact distances from the nodes of a brick to the nearest triangle.
//
// A triangle that is nearest to some node within r of a centre is at most 2 r farther from the centre than the nearest
// one there. So only such triangles of the tree are gathered for a brick, and they are thinned out in the same way for
// each group of 3 x 3 x 3 nodes, by the distance of the node in its middle, and few are left to be measured. Where a
// mesh is much finer than the cells that is no help, and the tree is asked for each node.
//
//   NearestTriangles nearest(cells, tree, reach);
//   float to_center = nearest.gather(block);                  // to the middle of the block
//   nearest.measure(0, distances, triangles);                // of its 729 nodes

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/collision/fields/triangle_tree.h"

namespace spindrift::collision {

/// Half the diagonal of a block.
inline constexpr float block_radius = 6.9283f;

/// Scratch memory of one thread; answers do not depend on what was asked before.
class NearestTriangles {
  public:
    NearestTriangles(const CellMesh& mesh, const TriangleTree& tree, float reach);

    /// Collects the triangles near a block; the distance of its middle to the nearest, infinite if there are none.
    float gather(Vec3i block);
    /// Distances of the gathered block's nodes; `reach` and triangle -1 where it is farther. Leaves out the nodes that
    /// a block has from its neighbours on the high sides, where `shared` has the neighbour's bit: 1 << (x | y << 1 | z
    /// << 2).
    void measure(unsigned shared, float* distance, std::int32_t* triangle);

  private:
    struct Found {
        double squared;
        std::uint32_t near;  ///< place in near_
        float distance;
    };

    /// The discs of triangles, an array for each coordinate.
    struct Discs {
        std::vector<float> x, y, z, radius, nx, ny, nz;
        std::vector<std::uint32_t> item;  ///< a triangle, or a place in near_

        std::size_t size() const { return item.size(); }
        void clear();
        void add(const Disc& disc, std::uint32_t what);
    };

    /// Of all nodes, with the tree.
    void search(unsigned shared, float* distance, std::int32_t* triangle) const;
    void gather_group(const Found& middle);
    void measure_group(Vec3i low, unsigned shared, float* distance, std::int32_t* triangle);
    Found measure_node(Vec3f p, const Found& middle, float from_middle);
    /// Least possible distances to the first discs into lower_.
    void bound(const Discs& discs, std::size_t count, Vec3f p);
    /// The nearest to p of all the block's triangles, infinitely far if there are none.
    Found nearest(Vec3f p);
    Found measure_one(Vec3f p, std::size_t near) const;
    Found nearer(const Found& a, const Found& b) const;

    const CellMesh& mesh_;
    const TriangleTree& tree_;
    float reach_;
    float slack_;  ///< by which bounds may be wrong
    Vec3i block_{};
    float to_center_ = 0;  ///< of the block
    Discs near_;           ///< the block's triangles
    std::vector<std::array<Vec3f, 3>> corners_;
    Discs group_;  ///< places in near_, by their least distance from the group's middle
    std::vector<float> from_middle_;
    std::vector<std::pair<float, std::uint32_t>> order_;
    std::vector<float> lower_;
};

}  // namespace spindrift::collision
