#pragma once
// What a ray meets in one cell of a lattice: the surface against the air, and borders between liquids.
//
// Equations: phi is trilinear over the cell, air where it is 0 or more. Elsewhere a point is in the liquid a with the
// largest trilinear sum of the leads of a's corners; between two liquids that is the zero of the lead taken with the
// sign of its liquid, which is where meshes have the border on the cell's edges (surface/cube_points.h). Both are the
// same from either side of a face that two cells share. Along a ray they are cubics.
//
//   LatticeCell cell{.phi = {-1, 1, -1, 1, -1, 1, -1, 1}};
//   std::optional<CellHit> hit = first_hit(cell, {0, 0.5, 0.5}, {1, 0.5, 0.5});    // s = 0.5, between 0 and air

#include <array>
#include <cstdint>
#include <optional>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/write_mesh.h"

namespace spindrift::render {

/// Values at the corners of a cell; bits of a corner's number are its place.
struct LatticeCell {
    std::array<float, 8> phi{};
    /// Of use if `several`, that is, if corners are of different liquids; else `liquid` is the only one.
    std::array<std::uint8_t, 8> label{};
    std::array<float, 8> lead{};
    bool several = false;
    std::uint8_t liquid = 0;
};

struct CellHit {
    double s = 0;  ///< from 0 where the ray comes in to 1 where it leaves
    /// The lower liquid and the higher one, or air.
    geometry::Sides sides{};
    Vec3d gradient{};  ///< from the first side to the second
};

/// What a ray from a to b, places in the cell's own units, meets first.
std::optional<CellHit> first_hit(const LatticeCell& cell, Vec3d a, Vec3d b);

}  // namespace spindrift::render
