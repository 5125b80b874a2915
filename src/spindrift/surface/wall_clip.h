#pragma once
// Surfaces cut at walls. Close to a wall the liquid is let out a little to touch it, then cut where the wall is: no
// film of air between glass and water, and nothing beyond the glass.
//
//   float phi = clipped(phi, wall_distance(walls, x), {.spacing = 0.5f, .gap = 0});

#include "spindrift/collision/walls.h"
#include "spindrift/core/vec.h"

namespace spindrift::surface {

/// Distance to the nearest wall, below 0 in the solid. Lengths in the walls' unit.
float wall_distance(const collision::Walls& walls, Vec3f x);

/// The same with the direction away from the wall, and how many walls are within `reach` of the nearest one's distance.
struct WallPlace {
    float distance = 0;
    Vec3f normal{};
    int walls = 0;
};
WallPlace wall_place(const collision::Walls& walls, Vec3f x, float reach);

struct WallClip {
    float spacing;  ///< of the particles
    float gap;      ///< left between liquid and wall
};

/// Value of a surface's function, in the same unit, at this distance from the walls.
inline float clipped(float phi, float distance, const WallClip& clip) {
    // The surface of particles at rest beside a wall lies on it, give or take a tenth of a spacing.
    const float near = 0.5f * clip.spacing - distance;
    if (near > 0) phi -= 0.5f * std::min(near, 0.5f * clip.spacing);
    return std::max(phi, clip.gap - distance);
}

}  // namespace spindrift::surface
