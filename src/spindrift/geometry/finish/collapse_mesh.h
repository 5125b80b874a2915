#pragma once
// Triangles whose points can be merged two by two.
//
//   CollapseMesh joined(mesh.triangles, mesh.points.size());
//   if (joined.may_merge(3, 7)) joined.merge(3, 7);                 // point 7 is gone, and two triangles

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

class CollapseMesh {
  public:
    CollapseMesh(std::span<const Triangle> triangles, std::size_t points);

    const Triangle& corners(std::uint32_t triangle) const { return triangles_[triangle]; }
    std::size_t triangle_count() const { return triangles_.size(); }
    bool is_gone(std::uint32_t triangle) const { return triangles_[triangle][0] == gone; }
    bool has_triangles(std::uint32_t point) const { return first_[point] != none; }

    /// Calls body(triangle, k) for the triangles around a point; the point is their corner k.
    template <class Body>
    void for_triangles(std::uint32_t point, const Body& body) const {
        for (std::uint32_t c = first_[point]; c != none; c = next_[c])
            body(c / 3, c % 3);
    }

    /// The points that share an edge with this one, each once, in the order of the triangles.
    void neighbors(std::uint32_t point, std::vector<std::uint32_t>& out) const;

    /// Whether a surface stays what it is, closed or with its holes, when the ends of an edge become one (the link
    /// condition, Dey et al. 1999). The edge must have two triangles.
    bool may_merge(std::uint32_t a, std::uint32_t b);
    /// `b` becomes `a`.
    void merge(std::uint32_t a, std::uint32_t b);

  private:
    static constexpr std::uint32_t none = 0xffffffff, gone = 0xffffffff;

    /// Takes corners of triangles that are gone out of a point's list.
    void tidy(std::uint32_t point);

    std::vector<Triangle> triangles_;
    std::vector<std::uint32_t> first_, next_;  ///< corners of a point, 3 t + k, in a list
    std::vector<std::uint32_t> near_a_, near_b_;
};

}  // namespace spindrift::geometry
