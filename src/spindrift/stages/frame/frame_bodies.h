#pragma once
// Bodies of a frame, as the cache has them: bodies/name.0042.npz.
//
//   const sim::BodyFrame bodies = read_bodies(scene, cache, 42);

#include <string>

#include "spindrift/cache/cache.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_frame.h"

namespace spindrift::stages {

/// Empty if the scene has none. Throws IoError if the file is missing or not what was written, UsageError if the cache
/// was made without bodies or with others.
sim::BodyFrame read_bodies(const Scene& scene, const cache::Cache& cache, int frame);

/// Hash of a frame's bodies; empty if the scene or the cache has none.
std::string body_hash(const Scene& scene, const cache::Cache& cache, int frame);

}  // namespace spindrift::stages
