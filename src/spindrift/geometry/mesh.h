#pragma once
// Triangles in memory, as files gave them: nothing is promised about how they join.
//
//   Mesh sheet;
//   sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
//   sheet.triangles = {{0, 2, 1}};
//   Box3d box = bounds(sheet);

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::geometry {

using Triangle = std::array<std::uint32_t, 3>;
using Uv = std::array<float, 2>;  ///< (0, 0) is the lower left corner of a picture

/// A quantity at the points of a mesh, called as channels of particles are: N, v, Cd, uv.
struct Attribute {
    std::string name;
    int width = 1;              ///< numbers for each point
    std::vector<float> values;  ///< width for each point
};

struct Mesh {
    std::vector<Vec3f> points;  ///< in metres
    std::vector<Triangle> triangles;
    std::vector<std::array<Uv, 3>> uv;    ///< at the corners of each triangle; empty if there are none
    std::vector<Attribute> attributes{};  ///< readers leave them out

    /// nullptr if there is none of that name.
    const Attribute* find(std::string_view name) const;
};

/// Box around the points; around the origin if there are none.
Box3d bounds(const Mesh& mesh);

}  // namespace spindrift::geometry
