#pragma once
// What a surface carries (velocities, textures) brought to the nodes around it, from the nearest point of the mesh.
//
//   std::vector<Vec3f> velocity = carry_vectors(field, mesh, per_point);   // laid out as field.distance
//   Vec3f here = interpolate(velocity.data(), find_place(field.view(), at));

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// The field was made of this mesh, or of one with the same triangles, with FieldSettings::primitives. Nodes without a
/// triangle get zero.
std::vector<Vec3f> carry_vectors(const Field& field, const geometry::Mesh& mesh, std::span<const Vec3f> per_point);

/// The value of a texture at the nearest point of the surface. The mesh has UVs.
std::vector<float> carry_texture(const Field& field, const geometry::Mesh& mesh,
                                 const std::function<float(geometry::Uv)>& texture);

/// The distances of a field whose surface has moved for some seconds with the velocities at its nodes: each node looks
/// back along the motion.
void trace_back(const Field& field, std::span<const Vec3f> motion, double seconds, std::vector<float>& distance);

struct SurfacePoint {
    std::uint32_t triangle;
    Vec3f weights;    ///< of its corners
    Vec3f position;   ///< in metres, in the mesh's space
    geometry::Uv uv;  ///< zero if the mesh has none
};

/// The nearest point of the mesh to one in metres in its space; nothing away from the band.
std::optional<SurfacePoint> closest_point(const Field& field, const geometry::Mesh& mesh, Vec3f local);

}  // namespace spindrift::collision
