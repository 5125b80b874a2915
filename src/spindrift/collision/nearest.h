#pragma once
// Exact distances from the nodes of a brick to the nearest triangle.
//
// A triangle that is nearest to some node within r of a centre is at most 2 r farther from the centre than the nearest
// one there. So the triangles near a brick are thinned out for each group of 3 x 3 x 3 nodes, by the distance of the
// node in its middle, and few are left to be measured.
//
//   NearestTriangles nearest(cells, bins, reach);
//   float to_center = nearest.gather(block);                  // to the middle of the block
//   nearest.measure(distances, triangles);                    // of its 729 nodes

#include <cstdint>
#include <vector>

#include "spindrift/collision/triangle_bins.h"

namespace spindrift::collision {

/// Half the diagonal of a block.
inline constexpr float block_radius = 6.9283f;

/// Scratch memory of one thread; answers do not depend on what was asked before.
class NearestTriangles {
  public:
    NearestTriangles(const CellMesh& mesh, const TriangleBins& bins, float reach);

    /// Collects the triangles near a block; the distance of its middle to the nearest, infinite if there are none.
    float gather(Vec3i block);
    /// Distances of the gathered block's nodes; `reach` and triangle -1 where it is farther.
    void measure(float* distance, std::int32_t* triangle);

  private:
    struct Found {
        double squared;
        std::uint32_t triangle;
        float distance;
    };
    struct Group;

    /// The balls of triangles, an array for each coordinate.
    struct Balls {
        std::vector<float> x, y, z, radius;
        std::vector<std::uint32_t> triangle;

        std::size_t size() const { return triangle.size(); }
        void clear();
        void add(const Ball& ball, std::uint32_t t);
    };

    void gather_from(std::size_t block, Vec3f center);
    void measure_group(Vec3f low, float* distance, std::int32_t* triangle);
    /// Least possible distances of all balls into lower_.
    void bound(const Balls& balls, Vec3f p);
    Found nearest(const Balls& balls, Vec3f p, Found found);
    Found measure_one(Vec3f p, std::uint32_t t) const;

    const CellMesh& mesh_;
    const TriangleBins& bins_;
    float reach_;
    Vec3i block_{};
    Balls near_, group_;
    std::vector<float> lower_;
    std::vector<std::uint32_t> seen_;  ///< the gathering that a triangle was last in
    std::uint32_t gathering_ = 0;
};

}  // namespace spindrift::collision
