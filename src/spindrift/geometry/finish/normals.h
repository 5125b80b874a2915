#pragma once
// Normals of the points of a mesh, for smooth shading.
//
//   Fans fans = make_fans(mesh.triangles, mesh.points.size());
//   add_normals(mesh, fans);                                  // mesh.find("N")->values

#include "spindrift/geometry/fans.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Sets the attribute `N`: the mean of the triangles around each point, weighted so that points on a ball get its own
/// normals, however it is cut into triangles (Max 1999). Length 1; up where there is nothing to see it by.
void add_normals(Mesh& mesh, const Fans& fans);
void add_normals(Mesh& mesh);

}  // namespace spindrift::geometry
