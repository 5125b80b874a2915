#pragma once
// Polygons of files, cut into triangles.
//
//   Polygons polygons;
//   polygons.add({0, 1, 2, 3});
//   add_triangles(mesh, polygons);      // two triangles more

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

struct Polygons {
    std::vector<std::uint32_t> corners;  ///< of all polygons, one after the other
    std::vector<Uv> uv;                  ///< of each corner, or none
    std::vector<std::size_t> ends;       ///< of each polygon, in `corners`

    void add(std::initializer_list<std::uint32_t> polygon) {
        corners.insert(corners.end(), polygon);
        end_polygon();
    }
    /// Makes a polygon of the corners added since the last one.
    void end_polygon() { ends.push_back(corners.size()); }
};

/// Adds the triangles of polygons to a mesh that has their points: fans of convex ones, ears of the rest. Very large
/// and broken polygons become fans.
void add_triangles(Mesh& mesh, const Polygons& polygons);

}  // namespace spindrift::geometry
