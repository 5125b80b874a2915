#pragma once
// What meshes depend on besides the particles, as hashes that the manifest keeps.
//
//   bool stale = manifest.stages["mesh"].inputs_hash != mesh_inputs_hash(scene);

#include <string>

#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// [mesh] but for what only chooses files, names and spacings of the liquids; domain, colliders and what is in their
/// files if meshes are cut at them.
std::string mesh_inputs_hash(const Scene& scene);

/// What the files of a frame are made from, as the beginning of their entries' state.
std::string made_from(const io::FrameEntry& particles, const std::string& inputs, const std::string& before = {});
bool is_made_from(const io::FrameEntry& entry, const std::string& made);

/// Of the flags of particles at the surface: the spacings alone.
std::string flag_inputs_hash(const Scene& scene);

}  // namespace spindrift::sim
