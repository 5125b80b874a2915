#pragma once
// Surfaces cut at walls. Close to a wall the liquid is let out a little to touch it, then cut where the wall is: no
// film of air between glass and water, and nothing beyond the glass.
//
//   phi = clipped(walls, x, phi, {.spacing = 0.5f, .gap = 0});

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"

namespace spindrift::surface {

struct WallClip {
    float spacing;  ///< of the particles
    float gap;      ///< left between liquid and wall

    /// The surface of particles beside a wall lies on it at rest, and up to half a spacing off it in motion.
    float wall_reach() const { return 1.0f * spacing; }
    /// Along an edge of two walls particles leave about a spacing free.
    float edge_reach() const { return 1.2f * spacing; }
};

/// Value of a surface's function at a place, cut at the walls. All lengths in the walls' unit. `edge` is how much of
/// the help along edges counts, from 0 to 1.
float clipped(const collision::Walls& walls, Vec3f x, float phi, const WallClip& clip, float edge = 1);

/// Distance to the nearest wall, below 0 in the solid, with the direction away from the wall, and how many walls are
/// within `reach` of the nearest one's distance.
struct WallPlace {
    float distance = 0;
    Vec3f normal{};
    int walls = 0;
};
WallPlace wall_place(const collision::Walls& walls, Vec3f x, float reach);

}  // namespace spindrift::surface
