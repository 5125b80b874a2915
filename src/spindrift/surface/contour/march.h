#pragma once
// The zero surface of a lattice as triangles: marching cubes with shared points.
//
// Points lie on the edges of the lattice and belong to the leaf of the edge's lower end; their numbers follow from
// counting bits, so there is no search for equal points, and the mesh is the same for any number of threads.
//
//   geometry::Mesh mesh = march(lattice);       // closed, every edge has two faces, normals point outwards

#include "spindrift/geometry/mesh.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// Points are metres from `origin`.
geometry::Mesh march(const Lattice& lattice, Vec3d origin = {});

}  // namespace spindrift::surface
