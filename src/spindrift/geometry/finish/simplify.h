#pragma once
// Meshes with fewer triangles where the surface is flat.
//
// Source: Garland and Heckbert 1997, "Surface simplification using quadric error metrics".
// Equations: see quadric.h; edges are merged in the order of their error.
// Differs: planes weigh as much as their triangles' area; an edge is merged only if the error bound of its points, plus
// the distance of the new place to the planes around it, stays below what is allowed (as Gueziec 1999 adds them up).
//
//   simplify(mesh, 0.0005);                                       // half a millimetre
//   std::vector<std::uint32_t> left = simplify(mesh, 0.0005, {.kind = kind, .wall_normals = normals});

#include <cstdint>
#include <vector>

#include "spindrift/geometry/finish/held_points.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

/// Takes triangles away as long as the surface moves by less than `most_error` metres; 0 changes nothing. Closed
/// manifold meshes stay so, no triangle turns over, attributes are interpolated. Points on walls are merged only along
/// their wall and into each other; fixed ones stay, and so do points on lines where not two triangles meet. Corners may
/// have no texture coordinates. Returns the old numbers of the triangles that are left, in order.
std::vector<std::uint32_t> simplify(Mesh& mesh, double most_error, const HeldPoints& held = {});

}  // namespace spindrift::geometry
