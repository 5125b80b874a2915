#pragma once
// The walls that cut surfaces at a frame.
//
//   FrameWalls frame_walls(scene, cache);
//   const collision::Walls walls = frame_walls.at(42, particles.origin);

#include <optional>

#include "spindrift/cache/cache.h"
#include "spindrift/collision/walls/walls.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/environment.h"
#include "spindrift/stages/frame/body_walls.h"

namespace spindrift::stages {

class FrameWalls {
  public:
    /// Reads the colliders and bodies if surfaces are cut at them; their fields are kept in the cache's folder.
    FrameWalls(const Scene& scene, const cache::Cache& cache);

    /// Lengths are in units of two spacings of the coarsest liquid, from `origin`. None if mesh.clip is off. They
    /// name this object's fields.
    collision::Walls at(int frame, Vec3d origin);

  private:
    const Scene& scene_;
    std::optional<sim::Environment> environment_;
    std::optional<BodyWalls> bodies_;
};

}  // namespace spindrift::stages
