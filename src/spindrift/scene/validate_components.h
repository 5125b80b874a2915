#pragma once
// Rules about components and about what liquids, fills and emitters are mixed of.
//
//   check_components(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

void check_components(const Scene& scene, const Value& tree, Problems& problems);

}  // namespace spindrift
