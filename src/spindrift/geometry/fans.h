#pragma once
// The triangles around each point of a mesh, and the edges they share there.
//
//   Fans fans = make_fans(mesh.triangles, mesh.points.size());
//   FanEdges around;
//   around.find(fans.at(0));
//   bool inner = around.parts() == 1 && around.edges().size() == fans.at(0).size();

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// A triangle as one of its corners sees it: the corners after and before it.
struct Wedge {
    std::uint32_t next, previous;
};

struct Fans {
    Buffer<std::uint32_t> first{"mesh fans"};  ///< where the wedges of a point begin; one more at the end
    Buffer<Wedge> wedges{"mesh fans"};         ///< at each point in order of the triangles

    std::size_t points() const { return first.size() - 1; }
    std::span<const Wedge> at(std::size_t point) const {
        return {wedges.data() + first[point], wedges.data() + first[point + 1]};
    }
};

/// All corners must be below `points`.
Fans make_fans(std::span<const Triangle> triangles, std::size_t points);

/// An edge at a point: how many triangles run along it away from the point, and how many towards it.
struct FanEdge {
    std::uint32_t other, away, towards;

    std::uint32_t triangles() const { return away + towards; }
};

/// The edges of one fan after the other; keeps its memory.
class FanEdges {
  public:
    void find(std::span<const Wedge> fan);

    /// By the number of the other point.
    std::span<const FanEdge> edges() const { return edges_; }
    /// Groups of triangles that hang together by edges at this point: one, unless the surface only touches itself here.
    std::size_t parts() const { return parts_; }

  private:
    std::uint32_t root(std::uint32_t wedge);

    std::vector<std::uint64_t> sides_;
    std::vector<std::uint32_t> parent_;
    std::vector<FanEdge> edges_;
    std::size_t parts_ = 0;
};

}  // namespace spindrift::geometry
