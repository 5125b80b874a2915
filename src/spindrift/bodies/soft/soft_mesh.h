#pragma once
// What cloth and soft solids are made of at rest: points with masses, elements between them, and the surface that rides
// on the points.
//
//   SoftMesh sheet = make_cloth_mesh(read_shape(params, folder), params);
//   Vec3d here = sheet.riders[0].at(sheet.points);          // the surface's first point

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spindrift/bodies/params.h"
#include "spindrift/constraints/tetrahedron.h"
#include "spindrift/constraints/volume.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

/// A point of the surface as a mean of points of the body; unused weights are zero.
struct Rider {
    std::array<std::uint32_t, 4> points{};
    std::array<double, 4> weights{};

    Vec3d at(std::span<const Vec3d> values) const {
        return values[points[0]] * weights[0] + values[points[1]] * weights[1] + values[points[2]] * weights[2] +
               values[points[3]] * weights[3];
    }
};

/// In the shape's own space.
struct SoftMesh {
    std::vector<Vec3d> points{};
    std::vector<double> masses{};                          ///< kg
    std::vector<std::array<std::int64_t, 3>> triangles{};  ///< of cloth
    std::vector<constraints::Tetrahedron> tetrahedra{};    ///< of a solid, twelve for each cell
    std::vector<constraints::Cell> cells{};
    geometry::Mesh surface{};
    std::vector<Rider> riders{};  ///< of the surface's points
};

/// More points or elements than this are refused: a step would take longer than anybody waits.
inline constexpr std::size_t most_points = 200'000, most_elements = 1'200'000;

/// Cloth of the mesh's triangles; points of the same position are one. Throws UsageError if nothing has an area.
SoftMesh make_cloth_mesh(const geometry::Mesh& mesh, const BodyParams& params);

/// A solid of what the mesh encloses, in boxes that are cut into tetrahedra. Boxes at the surface are filled in part.
/// Throws UsageError if it encloses nothing, or has too many.
SoftMesh make_solid_mesh(const geometry::Mesh& mesh, const BodyParams& params);

/// Cuts edges that are longer in half until none is, without opening gaps; stops before there are `most` triangles.
void cut_long_edges(geometry::Mesh& mesh, double longest, std::size_t most);

/// What a closed surface encloses; negative if its faces look inwards.
double signed_volume(const geometry::Mesh& mesh);

/// "body 'flag'", for messages.
std::string describe_body(const BodyParams& params);

}  // namespace spindrift::bodies
