#pragma once
// The liquid's surface in cells that walls cut.
//
// Particles do not fill such cells evenly: how full they are says little, and a gap narrower than a spacing is none.
// One that counted as air below the surface would have no pressure, and draw liquid in like a pump.
//
//   extend_beside_walls(grid, solids, 0.5f);     // lowers grid.phi in cells that are cut to less than half

#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::mac {

/// Liquid goes on into cells of which walls leave less than `narrow` at least as high as it stands in those beside them
/// that have more room.
void extend_beside_walls(MacGrid& grid, const Solids& solids, float narrow);

/// Whether walls leave a part of one of a cell's six faces, those of each axis one after the other.
bool is_open(const MacGrid& grid, std::size_t leaf, int cell, int side);

/// Liquid stands in cells that bodies have most of as high as around them: their pressure goes on through bodies, which
/// are pushed by its slope there.
void extend_into_bodies(MacGrid& grid, const Solids& solids);

}  // namespace spindrift::mac
