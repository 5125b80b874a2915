#pragma once
// Surfaces of several liquids cut from the particles' own Delaunay tetrahedra, as the thesis has it.
//
// Source: section 5, Onderik 2014.
// Differs: points of air are those of the lattice around the liquids, about a spacing apart; the thesis is silent on
// where it takes them from. Particles far from any surface are left out.
//
//   geometry::InterfaceMesh all = contour_particles(cells, lattice);

#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/surface/contour/chromatic.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// The lattice is the one evaluated of these particles. A reference for contour_liquids(), a hundred times slower.
geometry::InterfaceMesh contour_particles(const neighbors::ParticleCells& cells, const Lattice& lattice);

}  // namespace spindrift::surface
