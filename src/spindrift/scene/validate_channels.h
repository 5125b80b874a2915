#pragma once
// Rules between the channels that a scene declares, the values that its liquids and emitters give them, and the meshes
// that carry them.
//
//   check_channels(scene, tree, problems);

#include <string>
#include <vector>

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// What it looks at must have been read from the tree without problems; the tree tells where things stand.
void check_channels(const Scene& scene, const Value& tree, Problems& problems);

/// What frames hold, as far as the scene tells: channels that somebody declared or asked for and those that are always
/// there. Particles at the surface are found by the meshes' stage.
std::vector<std::string> frame_channels(const Scene& scene);

}  // namespace spindrift
