#pragma once
// What meshes depend on besides the particles, as hashes that the manifest keeps.
//
//   bool stale = manifest.series["mesh"].inputs_hash != mesh_inputs_hash(scene);

#include <string>

#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// [mesh] but for what only chooses files, names and spacings of the liquids; domain, colliders and what is in their
/// files if meshes are cut at them.
std::string mesh_inputs_hash(const Scene& scene);

/// Of the flags of particles at the surface: the spacings alone.
std::string flag_inputs_hash(const Scene& scene);

}  // namespace spindrift::stages
