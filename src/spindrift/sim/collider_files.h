#pragma once
// Where the files are that colliders are made from.
//
//   std::filesystem::path file = collider_file(scene, 0, 42);             // creature.0042.ply beside the scene
//   write_file(folder / "scene.toml", write_scene(relocated(scene, folder)));

#include <cstddef>
#include <filesystem>

#include "spindrift/scene/scene.h"

namespace spindrift::sim {

/// The file that a collider's mesh is read from at a frame. A sequence shows its first file before it begins and its
/// last one after it has ended.
std::filesystem::path collider_file(const Scene& scene, std::size_t collider, int frame);

/// The scene as it has to be written into another folder to find the same files from there.
Scene relocated(Scene scene, const std::filesystem::path& folder);

/// The scene with the bare names of its colliders' files: the same wherever a copy of it lies.
Scene without_folders(Scene scene);

}  // namespace spindrift::sim
