#pragma once
// The surface of a frame's particles as samples, the same that its mesh would be made of.
//
//   FrameSampler sampler(scene, cache);
//   surface::Lattice lattice = sampler.sample(*cache.find(cache::series::particles, 42));

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/frame/frame_walls.h"
#include "spindrift/surface/lattice.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::stages {

/// Keeps its memory, colliders and their fields from frame to frame.
class FrameSampler {
  public:
    /// The cache must outlive it.
    FrameSampler(const Scene& scene, const cache::Cache& cache);
    FrameSampler(const FrameSampler&) = delete;
    FrameSampler& operator=(const FrameSampler&) = delete;

    /// What [mesh] says is followed as far as samples go: function, voxel, radius, offset, upsample, clip and wall_gap.
    /// Particles are added where they are seen to be missing at this frame, whatever the frame before was like. Throws
    /// as load_frame_particles() does.
    surface::Lattice sample(const io::FrameEntry& entry);

  private:
    Scene scene_;
    const cache::Cache& cache_;
    FrameWalls walls_;
    surface::Reconstructor reconstructor_;
};

}  // namespace spindrift::stages
