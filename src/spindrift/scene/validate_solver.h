#pragma once
// Rules between a scene and the method that moves its liquids, by what the method can (fluid/params.h).
//
//   check_solver(scene, tree, problems);

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// The scene must have been read from the tree without problems; the tree tells where things stand. Settings of other
/// methods become warnings in the log.
void check_solver(const Scene& scene, const Value& tree, Problems& problems);

}  // namespace spindrift
