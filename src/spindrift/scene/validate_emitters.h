#pragma once
// Rules between emitters and the rest of a scene: walls they stand in, killers that take what they give.
//
//   check_emitters(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// The scene must have been read from the tree without problems; the tree tells where things stand.
void check_emitters(const Scene& scene, const Value& tree, Problems& problems);

/// The most that comes in within some seconds: all that a nozzle gives, or the volume of what is kept full. Of a
/// surface with a speed it is not known and counts as nothing.
double incoming_volume(const emitters::EmitterParams& emitter, double seconds);

}  // namespace spindrift
