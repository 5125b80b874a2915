#pragma once
// Where the files are that colliders, bodies, fills and emitters are made from.
//
//   write_file(folder / "scene.toml", write_scene(relocated(scene, folder)));
//   std::string key = content_of_files(scene);                  // another one once a mesh was edited

#include <filesystem>
#include <string>

#include "spindrift/scene/scene.h"

namespace spindrift::cache {

/// The scene as it has to be written into another folder to find the same files from there.
Scene relocated(Scene scene, const std::filesystem::path& folder);

/// The scene with the bare names of its files: the same wherever a copy of it lies.
Scene without_folders(Scene scene);

/// Hash of what is in the files: of single ones their bytes, of sequences all names and sizes. Empty if the scene has
/// no such files; those that cannot be read are left out, since reading them for good says what is wrong.
std::string content_of_files(const Scene& scene);

}  // namespace spindrift::cache
