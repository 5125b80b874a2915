#pragma once
// Triangles in memory, as files gave them: nothing is promised about how they join.
//
//   Mesh sheet;
//   sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
//   sheet.triangles = {{0, 2, 1}};
//   Box3d box = bounds(sheet);

#include <array>
#include <cstdint>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::geometry {

using Triangle = std::array<std::uint32_t, 3>;
using Uv = std::array<float, 2>;  ///< (0, 0) is the lower left corner of a picture

struct Mesh {
    std::vector<Vec3f> points;  ///< in metres
    std::vector<Triangle> triangles;
    std::vector<std::array<Uv, 3>> uv;  ///< at the corners of each triangle; empty if there are none
};

/// Box around the points; around the origin if there are none.
Box3d bounds(const Mesh& mesh);

}  // namespace spindrift::geometry
