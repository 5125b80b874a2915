#pragma once
// How triangles join, whatever numbers their points have in a file.
//
//   std::vector<std::uint32_t> welded = weld(mesh.points);      // equal positions have one number
//   EdgeCounts edges = count_edges(triangles_of_welded_points, mesh.points.size());

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// For each point the first one of exactly the same position.
std::vector<std::uint32_t> weld(std::span<const Vec3f> points);

struct EdgeCounts {
    std::size_t open = 0;          ///< of one triangle
    std::size_t non_manifold = 0;  ///< of more than two
    std::size_t mixed = 0;         ///< of two that run along it in the same direction

    void add(const FanEdge& edge) {
        open += edge.triangles() == 1;
        non_manifold += edge.triangles() > 2;
        mixed += edge.triangles() == 2 && edge.away != 1;
    }
};

EdgeCounts count_edges(std::span<const Triangle> triangles, std::size_t points);

/// Parts that share no point, numbered by their first points.
struct Pieces {
    static constexpr std::uint32_t none = 0xffffffff;  ///< of points without triangles

    std::vector<std::uint32_t> of_point{};
    std::size_t count = 0;
};
Pieces label_pieces(std::span<const Triangle> triangles, std::size_t points);

}  // namespace spindrift::geometry
