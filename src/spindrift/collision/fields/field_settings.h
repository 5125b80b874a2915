#pragma once
// How the distance field of a mesh is made.

#include <cstddef>
#include <string>

#include "spindrift/collision/params.h"

namespace spindrift::collision {

/// A sheet between nodes has no node at distance 0: thinner skins than twice this, in cells, would have holes.
inline constexpr float least_half_thickness = 0.9f;

/// How far from the surface distances must be known, in support radii: the coarse projection looks two radii far, and
/// clusters are found by their middle.
inline constexpr double band_radii = 2.4, depth_radii = 1.6;

struct FieldSettings {
    double cell = 0;  ///< m
    Mode mode = Mode::solid_inside;
    double thickness = 0;          ///< of a shell, m; 0 is the least that holds
    double offset = 0;             ///< m, outwards out of the solid
    double band = 0;               ///< m on the liquid's side where distances must be right; at least 2 cells
    double depth = 0;              ///< m inside the solid, the same
    bool primitives = false;       ///< keep the nearest triangle of each node
    std::string name = "mesh";     ///< for messages
    std::size_t memory_limit = 0;  ///< bytes while it is made; 0 is half of the machine's memory
};

}  // namespace spindrift::collision
