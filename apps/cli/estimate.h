#pragma once
// What a scene would take, before it is simulated.
//
//   const Estimate e = estimate(scene);     // e.particles, e.memory_bytes, e.seconds

#include "spindrift/scene/scene.h"

namespace spindrift::cli {

struct Estimate {
    double particles = 0;
    bool exact = false;   ///< placed, not only reckoned from volumes
    double substeps = 0;  ///< per frame
    double memory_bytes = 0, frame_bytes = 0;
    double seconds = 0;
    int frames = 0;
};

/// Throws SceneError if there would be no particles.
Estimate estimate(const Scene& scene);

}  // namespace spindrift::cli
