#pragma once
// What is wrong with a mesh, counted; and what cannot be used taken away.
//
//   Mesh sheet;
//   sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
//   sheet.triangles = {{0, 2, 1}, {0, 2, 7}};
//   MeshReport report = clean(sheet);                     // one triangle is left
//   std::string text = describe_defects(report);          // "1 triangle with a bad index, open (3 edges)"

#include <cstddef>
#include <cstdint>
#include <string>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Edges, pieces and crossings are those of the triangles that are left, with points of equal position taken as one:
/// files split points where texture coordinates part.
struct MeshReport {
    std::size_t points = 0, triangles = 0;  ///< as read

    std::size_t bad_index = 0;           ///< triangles dropped, a corner is not a point
    std::size_t not_finite_points = 0;   ///< moved to another point
    std::size_t not_finite = 0;          ///< triangles dropped for such a point
    std::size_t degenerate = 0;          ///< triangles dropped, no area
    std::size_t duplicate = 0;           ///< triangles dropped, there was one of the same points
    std::size_t open_edges = 0;          ///< edges of one triangle
    std::size_t non_manifold_edges = 0;  ///< edges of three or more
    std::size_t mixed_edges = 0;         ///< edges whose two triangles face different sides
    std::int64_t crossings = -1;         ///< pairs of triangles that cut each other; -1: too much work to count
    std::size_t pieces = 0;              ///< parts that share no point

    std::size_t dropped() const { return bad_index + not_finite + degenerate + duplicate; }
    /// Whether every edge joins two triangles, so that there is an inside.
    bool is_closed() const { return open_edges == 0 && non_manifold_edges == 0; }
};

/// Below this share of its longest edge squared, twice a triangle's area is rounding of its corners.
inline constexpr double area_rounding = 1e-7;

/// Crossings are counted up to this number.
inline constexpr std::int64_t most_crossings = 100000;

/// Takes triangles away that no computation can use and counts the rest of the defects. Points keep their numbers;
/// those that are not finite move to a good one, and texture coordinates that are not finite become 0.
MeshReport clean(Mesh& mesh);

/// A short phrase: "open (12 edges), 3 non-manifold edges, 40 crossing pairs", or "clean".
std::string describe_defects(const MeshReport& report);

}  // namespace spindrift::geometry
