#pragma once
// Brings scenes of older versions of the format to the present one.
//
//   upgrade_scene(tree, problems);   // afterwards the tree is of version `scene_version`

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"

namespace spindrift {

/// Complains about versions from the future. A scene without a version is of version 1.
void upgrade_scene(Value& tree, Problems& problems);

}  // namespace spindrift
