#pragma once
// Surfaces of several liquids in one mesh: between each liquid and the air, and between the liquids.
//
//   geometry::InterfaceMesh all = contour_liquids(lattice);
//   for (const auto& [behind, front] : all.sides) ... front == air at a free surface ...
//   std::vector<geometry::Mesh> each = split_liquids(all, 3);           // split_liquids.h
//
// Source: section 5, Onderik 2014 (chromatic contouring).
// Differs: tetrahedra of the lattice instead of particles (decision 0011), and only in cubes where liquids meet. Where
// one liquid and air meet marching cubes give a third of the triangles; their faces beside tetrahedra are cut as those.

#include "spindrift/geometry/interface_mesh.h"
#include "spindrift/surface/contour/cube_kinds.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// Every edge of the triangles around one liquid belongs to two of them. A lattice without labels has one liquid.
geometry::InterfaceMesh contour_liquids(const Lattice& lattice, Cut cut = Cut::where_liquids_meet);

}  // namespace spindrift::surface
