#pragma once
// Rules between the channels that a scene declares, the values that its liquids and emitters give them, and the meshes
// that carry them.
//
//   check_channels(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// What it looks at must have been read from the tree without problems; the tree tells where things stand.
void check_channels(const Scene& scene, const Value& tree, Problems& problems);

}  // namespace spindrift
