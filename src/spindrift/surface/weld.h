#pragma once
// Points thinned out until no two of a liquid are closer than a distance.
//
// A point stays if no better one that stays is too close; the better has the lower rank, of equals the earlier. That
// rule has one answer only, so it may be found in parallel: each round decides the points whose better neighbours are
// all decided.
//
//   std::vector<std::uint32_t> kept = weld({.x = x, .spacing = {0.004}}, rank);   // no two within 4 mm

#include <cstdint>
#include <vector>

#include "spindrift/neighbors/particle_cells.h"

namespace spindrift::surface {

/// Numbers of the points that stay, ascending. The points' spacing is the distance that each liquid's keep.
std::vector<std::uint32_t> weld(const neighbors::ParticleView& points, ConstChannel<float> rank);

}  // namespace spindrift::surface
