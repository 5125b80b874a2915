#pragma once
// Normals of the points of a mesh, for smooth shading.
//
//   geometry::Fans fans = geometry::make_fans(mesh.triangles, mesh.points.size());
//   add_normals(mesh, fans);                                  // mesh.find("N")->values

#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::surface {

/// Sets the attribute `N`: the mean of the triangles around each point, weighted by their angles there, so that the way
/// a face is cut into triangles does not matter. Length 1; up where there is nothing to see it by.
void add_normals(geometry::Mesh& mesh, const geometry::Fans& fans);
void add_normals(geometry::Mesh& mesh);

}  // namespace spindrift::surface
