#pragma once
// The scene as it was run, in its cache: scene.toml.
//
// A scene that takes the place of another waits as scene.next.toml while the manifest changes. If the program is killed
// in between, the manifest says which of the two was simulated; see load_cached_scene() in run.h.
//
//   write_next_scene(folder, scene);
//   save_manifest(folder, manifest);
//   accept_next_scene(folder);

#include <filesystem>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/scene/scene.h"

namespace spindrift::cache {

void write_next_scene(const std::filesystem::path& folder, const Scene& scene);
void accept_next_scene(const std::filesystem::path& folder);

/// The scene that a cache was simulated from.
Scene load_cached_scene(const std::filesystem::path& folder);

}  // namespace spindrift::cache
