#pragma once
// What whitewater depends on besides particles and bodies, as a hash that the manifest keeps.

#include <string>

#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// [whitewater], gravity, forces, domain, colliders, bodies, spacings, killers, frame rate and what is in the files of
/// these.
std::string whitewater_inputs_hash(const Scene& scene);

}  // namespace spindrift::stages
