#pragma once
// What a path on the command line stands for.

#include <filesystem>

#include "cli/commands.h"

#include "spindrift/scene/scene.h"

namespace spindrift::cli {

/// A folder that is not one of scenes is a cache, or says itself what is wrong with it.
bool is_cache(const std::filesystem::path& path);

/// Loads the scene with all changes of the command line; -s and -e count as changes of `frames`.
Scene load_source(const Source& source);

/// The cache that a folder is, or that belongs to a scene file.
std::filesystem::path find_cache(const std::filesystem::path& path);

/// A cache, and the scene as it was simulated with cameras, colours, look and meshes of the scene file if one is given,
/// and of the command line.
struct DrawnCache {
    std::filesystem::path folder;
    Scene scene;
};
/// Reads each file once, and what it warns of is said once.
DrawnCache open_drawn(const Source& source);

}  // namespace spindrift::cli
