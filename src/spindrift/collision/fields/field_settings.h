#pragma once
// How the distance field of a mesh is made.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "spindrift/collision/params.h"

namespace spindrift::collision {

/// A sheet between nodes has no node at distance 0: thinner skins than twice this, in cells, would have holes.
inline constexpr float least_half_thickness = 0.9f;

/// How far from the surface distances must be known, in support radii: the coarse projection looks two radii far, and
/// clusters are found by their middle.
inline constexpr double band_radii = 2.4, depth_radii = 1.6;

/// Liquid does not see what is smaller than this share of its spacing: a draft has coarser fields than the final, which
/// otherwise would be wider in cells and take longer. The number of bricks goes with band / cell³, so a draft at twice the
/// spacing has fewer than its final if the final's cells are finer than 0.8 spacings.
inline constexpr double least_cell_share = 0.5;

/// Of a collider's field beside liquid of a spacing, whatever the scene asks for.
inline double used_cell(const std::optional<double>& asked, double spacing) {
    return std::max(asked.value_or(spacing), least_cell_share * spacing);
}

struct FieldSettings {
    double cell = 0;        ///< m
    double least_cell = 0;  ///< m, for cells that a file gives
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
