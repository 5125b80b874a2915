#pragma once
// Rules between the values of a scene's parts: fills and walls, particles and memory.
//
//   check_scene(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// The scene must have been read from the tree without problems; the tree tells where things stand. What is odd but
/// can be simulated becomes a warning in the log.
void check_scene(const Scene& scene, const Value& tree, Problems& problems);

/// That particles of all fills, and those that come in within a frame, fit this machine.
void check_memory(const Scene& scene, const Value& tree, Problems& problems);

/// Particles that fit this machine.
double most_particles();

}  // namespace spindrift
