// The part of delaunay.h that knows nothing of Qhull.

#include <algorithm>
#include <tuple>

#include "spindrift/core/errors.h"
#include "spindrift/surface/contour/cube_points.h"
#include "spindrift/surface/contour/delaunay.h"
#include "spindrift/surface/contour/tetra_table.h"

namespace spindrift::surface {

namespace {

/// The corners a point lies between, in ascending order: two, three or four; `none` fills up.
using PointKey = std::array<std::uint32_t, 4>;
constexpr std::uint32_t none = 0xffffffff;

std::size_t corner_count(const PointKey& key) {
    return static_cast<std::size_t>(std::find(key.begin(), key.end(), none) - key.begin());
}

/// Key of a point of a tetrahedron, as tetra_table.h numbers them.
PointKey key_of(const Tetrahedron& t, std::uint8_t point) {
    PointKey key{none, none, none, none};
    if (point < 6) {
        key[0] = t[tetra_edges[point][0]];
        key[1] = t[tetra_edges[point][1]];
    } else {
        std::copy(t.begin(), t.end(), key.begin());
        if (point < 10) key[point - 6u] = none;
    }
    std::sort(key.begin(), key.end());
    return key;
}

class TetraContour {
  public:
    TetraContour(std::span<const Vec3f> points, std::span<const std::uint8_t> labels, std::span<const float> phi,
                 std::span<const float> lead)
        : points_(points), labels_(labels), phi_(phi), lead_(lead) {}

    void add(const Tetrahedron& t) {
        std::uint8_t labels[4];
        for (std::size_t c = 0; c < 4; ++c)
            labels[c] = labels_[t[c]];
        const TetraCase& all = tetra_table()[cut_edges(labels)];
        for (std::size_t i = 0; i < static_cast<std::size_t>(all.count); ++i) {
            TetraTriangle triangle = all.triangles[i];
            sides_.push_back(turn_to_higher(labels, triangle));
            for (const std::uint8_t p : triangle.points)
                corners_.push_back(key_of(t, p));
        }
    }

    geometry::InterfaceMesh finish() {
        std::vector<PointKey> keys = corners_;
        std::sort(keys.begin(), keys.end(), before);
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        geometry::InterfaceMesh out;
        for (const PointKey& key : keys)
            out.mesh.points.push_back(vec_cast<float>(place(key)));
        const auto number = [&](const PointKey& key) {
            return static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key, before) - keys.begin());
        };
        for (std::size_t i = 0; i < corners_.size(); i += 3)
            out.mesh.triangles.push_back({number(corners_[i]), number(corners_[i + 1]), number(corners_[i + 2])});
        out.sides = std::move(sides_);
        return out;
    }

  private:
    /// Points on edges first, then those in triangles, then those in tetrahedra.
    static bool before(const PointKey& a, const PointKey& b) {
        return std::tuple(corner_count(a), a) < std::tuple(corner_count(b), b);
    }

    Vec3d place_on_edge(std::uint32_t a, std::uint32_t b) const {
        const double t = edge_root(labels_[a], labels_[b], phi_[a], phi_[b], lead_[a], lead_[b]);
        const auto from = vec_cast<double>(points_[a]), to = vec_cast<double>(points_[b]);
        return from + t * (to - from);
    }

    Vec3d place_in_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        return (place_on_edge(a, b) + place_on_edge(a, c) + place_on_edge(b, c)) / 3.0;
    }

    Vec3d place(const PointKey& key) const {
        const auto& [a, b, c, d] = key;
        if (c == none) return place_on_edge(a, b);
        if (d == none) return place_in_triangle(a, b, c);
        return (place_in_triangle(a, b, c) + place_in_triangle(a, b, d) + place_in_triangle(a, c, d) +
                place_in_triangle(b, c, d)) /
               4.0;
    }

    std::span<const Vec3f> points_;
    std::span<const std::uint8_t> labels_;
    std::span<const float> phi_, lead_;
    std::vector<PointKey> corners_;  ///< three for each triangle
    std::vector<std::array<std::uint8_t, 2>> sides_;
};

}  // namespace

geometry::InterfaceMesh contour_tetrahedra(std::span<const Tetrahedron> tetrahedra, std::span<const Vec3f> points,
                                           std::span<const std::uint8_t> labels, std::span<const float> phi,
                                           std::span<const float> lead) {
    SPINDRIFT_CHECK(labels.size() == points.size() && phi.size() == points.size() && lead.size() == points.size());
    TetraContour contour(points, labels, phi, lead);
    for (const Tetrahedron& t : tetrahedra)
        contour.add(t);
    return contour.finish();
}

}  // namespace spindrift::surface
