#pragma once
// How sound a mesh that we made is, and what it measures.
//
//   MeshQuality ball = measure(make_sphere({0, 0, 0}, 1), true);
//   bool good = ball.watertight() && ball.manifold() && ball.crossings == 0;
//   std::string line = describe(ball);      // "watertight, manifold, 1 piece, genus 0, 2562 points, ..."

#include <cstddef>
#include <cstdint>
#include <string>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Points are those of the indices: two at the same place are two, unlike in a MeshReport.
struct MeshQuality {
    std::size_t points = 0, triangles = 0;
    double volume = 0;  ///< inside, m^3, positive if faces look outward; of no meaning if the mesh is open
    double area = 0;    ///< m^2

    std::size_t pieces = 0;               ///< parts that share no point
    std::int64_t genus = -1;              ///< handles of all pieces together; -1 unless watertight and manifold
    std::size_t open_edges = 0;           ///< edges of one triangle
    std::size_t non_manifold_edges = 0;   ///< edges of three or more
    std::size_t non_manifold_points = 0;  ///< points whose triangles form several fans
    std::size_t flipped_edges = 0;        ///< edges whose two triangles face different sides
    std::size_t degenerate = 0;           ///< triangles without area
    std::size_t loose_points = 0;         ///< points without triangles
    std::int64_t crossings = -1;          ///< pairs of triangles that cut each other; -1: not counted

    double shortest = 0, mean = 0, longest = 0;  ///< edges, m
    double largest_aspect = 0;                   ///< of triangles with area: see aspect()
    std::size_t slivers = 0;                     ///< triangles whose aspect is above 10

    bool watertight() const { return open_edges == 0 && non_manifold_edges == 0; }
    bool manifold() const { return non_manifold_edges == 0 && non_manifold_points == 0; }
    bool oriented() const { return flipped_edges == 0; }
};

/// Longest edge by the height on it, 1 for a triangle of equal sides.
double aspect(double longest_edge, double area);

/// The same bits for any number of threads. Crossings take far longer than the rest.
MeshQuality measure(const Mesh& mesh, bool count_crossings);

/// One line for a log.
std::string describe(const MeshQuality& quality);

}  // namespace spindrift::geometry
