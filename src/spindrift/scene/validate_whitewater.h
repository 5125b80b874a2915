#pragma once
// Names in [whitewater]: colliders that its sources are on, and channels that are its masks.
//
//   check_whitewater_masks(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

void check_whitewater_colliders(const Scene& scene, const Value& tree, Problems& problems);
void check_whitewater_masks(const Scene& scene, const Value& tree, Problems& problems);

}  // namespace spindrift
