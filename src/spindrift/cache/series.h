#pragma once
// Files of one kind in a cache, one for each frame: folder/name.0042.npz.
//
//   const Series frames{.key = series::particles, .folder = series::particles, .name = "water", .extension = "npz"};
//   std::filesystem::path path = frames.path("dam_cache", 42);            // dam_cache/particles/water.0042.npz

#include <filesystem>
#include <string>

#include "spindrift/cache/frame_path.h"

namespace spindrift::cache {

struct Series {
    std::string key;     ///< in the manifest
    std::string folder;  ///< in the cache
    std::string name;    ///< the first part of its files' names
    std::string extension;

    std::filesystem::path path(const std::filesystem::path& cache, int frame) const {
        return frame_path(cache, folder, name, frame, extension);
    }
};

/// Keys, or first parts of keys, in manifests. Folders have the same names unless it says otherwise.
namespace series {

inline constexpr const char* particles = "particles";
inline constexpr const char* checkpoint = "checkpoint";
inline constexpr const char* bodies = "bodies";
inline constexpr const char* wet = "wet";               ///< wet/rock: values
inline constexpr const char* wet_pictures = "wet_png";  ///< wet_png/rock: the same for the eye, in the folder wet
inline constexpr const char* interior = "core";         ///< of liquid with a narrow band of particles
inline constexpr const char* grids = "grids";
inline constexpr const char* mesh = "mesh";        ///< mesh, and mesh/name.obj for further files
inline constexpr const char* surface = "surface";  ///< level sets
inline constexpr const char* surface_flags = "surface_flags";
inline constexpr const char* whitewater = "whitewater";  ///< whitewater/spray, whitewater/foam ...
inline constexpr const char* mist = "mist";              ///< fog
inline constexpr const char* preview = "preview";
inline constexpr const char* turntable = "turntable";

}  // namespace series

/// Folder of distance fields that colliders and bodies keep; in no manifest.
inline constexpr const char* field_folder = "collision";
/// Folder of what is made of a cache's frames while somebody else writes it.
inline constexpr const char* beside_folder = "beside";

}  // namespace spindrift::cache
