#pragma once
// Where the files are that colliders, fills and emitters are made from.
//
//   write_file(folder / "scene.toml", write_scene(relocated(scene, folder)));

#include <filesystem>

#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// The scene as it has to be written into another folder to find the same files from there.
Scene relocated(Scene scene, const std::filesystem::path& folder);

/// The scene with the bare names of its files: the same wherever a copy of it lies.
Scene without_folders(Scene scene);

}  // namespace spindrift::sim
