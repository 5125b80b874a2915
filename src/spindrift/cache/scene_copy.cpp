#include "spindrift/cache/scene_copy.h"

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/scene_files.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/core/descriptor.h"
#include "spindrift/core/errors.h"
#include "spindrift/io/manifest.h"

namespace spindrift::cache {

namespace {

namespace fs = std::filesystem;

constexpr const char *scene_copy = "scene.toml", *next_copy = "scene.next.toml";

/// Whether the manifest has changed to the scene that waits.
bool counts_next(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / next_copy, error) || !fs::exists(folder / io::manifest_file, error)) return false;
    try {
        return simulation_hash(load_scene(folder / next_copy)) == load_manifest(folder).scene_hash;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

void write_next_scene(const fs::path& folder, const Scene& scene) {
    write_file(folder / next_copy, write_scene(relocated(scene, folder)));
}

void accept_next_scene(const fs::path& folder) {
    std::error_code error;
    fs::rename(folder / next_copy, folder / scene_copy, error);
    if (error) throw write_error(folder / scene_copy, error.value());
    if (!sync_folder(folder.c_str())) throw write_error(folder / scene_copy, errno);
}

Scene load_cached_scene(const fs::path& folder) {
    if (counts_next(folder)) return load_scene(folder / next_copy);
    if (!fs::exists(folder / scene_copy)) {
        throw IoError(IoError::Kind::missing, folder,
                      "this is not a cache: it has no scene.toml; give the folder that `spindrift run` made");
    }
    return load_scene(folder / scene_copy);
}

}  // namespace spindrift::cache
