#pragma once
// Where the table of a field lies, how far its distances reach, and whether there is memory for it.
//
//   FieldLayout layout = plan_field(mesh, settings);      // throws if it would not fit
//   CellMesh cells = to_cells(mesh, layout);              // points in cells from layout.first

#include <vector>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/field_settings.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// Nodes of a cell that is partly in the band may be farther by its diagonal; those that are count little there.
inline constexpr float beyond_band = 1;

struct FieldLayout {
    double cell;
    Vec3i first, bricks;
    float band, depth;              ///< of the field, in cells
    float offset;                   ///< in cells
    float half_thickness;           ///< of shells, in cells
    float free_reach, solid_reach;  ///< how far from the triangles distances are wanted on either side, in cells

    float reach() const { return std::max(free_reach, solid_reach); }
    std::size_t block_count() const {
        return static_cast<std::size_t>(bricks.x) * static_cast<std::size_t>(bricks.y) *
               static_cast<std::size_t>(bricks.z);
    }
};

FieldLayout plan_field(const geometry::Mesh& mesh, const FieldSettings& settings);

/// A disc in which a triangle lies; a ball if the triangle is too thin to tell its plane.
struct Disc {
    Vec3f center;  ///< on the triangle
    float radius;
    Vec3f normal;  ///< zero for a ball
};

/// A mesh in cells from the table's low corner.
struct CellMesh {
    std::vector<Vec3f> points;
    const std::vector<geometry::Triangle>* triangles;
    std::vector<Disc> discs;
    float largest;  ///< coordinate, which says how exact they are

    Vec3f corner(std::size_t triangle, std::size_t i) const { return points[(*triangles)[triangle][i]]; }
};

CellMesh to_cells(const geometry::Mesh& mesh, const FieldLayout& layout);

/// Calls visit(point) at points spread over a triangle about `spacing` apart, until it returns true; says if it did.
template <class Visit>
bool any_point_on(Vec3f a, Vec3f b, Vec3f c, float spacing, const Visit& visit) {
    const float longest = std::sqrt(std::max({dot(b - a, b - a), dot(c - a, c - a), dot(c - b, c - b)}));
    const int n = static_cast<int>(std::clamp(std::ceil(longest / spacing), 1.f, 64.f));
    for (int i = 0; i < n; ++i) {
        for (int j = 0; i + j < n; ++j) {
            const float u = (static_cast<float>(i) + 1.f / 3) / static_cast<float>(n);
            const float v = (static_cast<float>(j) + 1.f / 3) / static_cast<float>(n);
            if (visit(a + (b - a) * u + (c - a) * v)) return true;
        }
    }
    return false;
}

}  // namespace spindrift::collision
