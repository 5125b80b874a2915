#pragma once
// Which changes of a scene make a simulation another one.
//
//   bool same = manifest.scene_hash == simulation_hash(scene);

#include <string>

#include "spindrift/scene/scene.h"

namespace spindrift::cache {

/// Hash of everything that particles depend on: the scene without its last frame, cameras, looks, meshes and names, and
/// what is in the files of its colliders and bodies.
std::string simulation_hash(const Scene& scene);

}  // namespace spindrift::cache
