#pragma once
// A scene before it is simulated: its first frame with emitters as solids, so that a picture shows where liquid will
// come from and which way.
//
//   const Scene shown = with_emitters_shown(scene, temporary_folder);
//   render_cache(shown, {.folder = temporary_folder}, progress);

#include <filesystem>

#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// Nozzles get an arrow along the way that liquid takes. Meshes that this needs are written into the folder.
Scene with_emitters_shown(const Scene& scene, const std::filesystem::path& folder);

}  // namespace spindrift::stages
