#pragma once
// A closed mesh for each liquid out of the one mesh of all surfaces.
//
//   geometry::InterfaceMesh all = contour_liquids(lattice);
//   std::vector<geometry::Mesh> each = split_liquids(all, 3);

#include <vector>

#include "spindrift/surface/contour/chromatic.h"

namespace spindrift::surface {

/// Triangles that have this liquid on a side, turned outwards; only the points they need, in the order they had, with
/// their attributes. Where two liquids touch, both meshes have the same triangles at the same points to the last bit,
/// turned against each other. `air` gives the mesh of the air around the liquids.
geometry::Mesh liquid_mesh(const geometry::InterfaceMesh& all, std::uint8_t liquid);

/// The meshes of liquids 0 to `liquids` - 1; empty for those that are not there.
std::vector<geometry::Mesh> split_liquids(const geometry::InterfaceMesh& all, std::size_t liquids);

}  // namespace spindrift::surface
