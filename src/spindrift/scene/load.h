#pragma once
// Scenes that are about to be simulated, or checked for it.
//
//   const Scene scene = load_complete_scene("dam.toml", {"solver.iterations=8"});

#include <filesystem>
#include <string>
#include <vector>

#include "spindrift/scene/scene.h"

namespace spindrift {

/// load_scene() that also wants the files which the scene names. All problems come at once: as SceneError, or as Error
/// of exit code `input` if nothing is wrong but that files are missing.
Scene load_complete_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

}  // namespace spindrift
