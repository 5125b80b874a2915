#pragma once
// Where the files of a cache are: one folder per stage, one file per frame.
//
//   frame_path("dam_cache", "particles", "water", 42, "npz")   // dam_cache/particles/water.0042.npz

#include <filesystem>
#include <string_view>

namespace spindrift::cache {

/// At least four digits; frames before the start of the shot have a minus sign: `water.-0003.npz`.
std::filesystem::path frame_path(const std::filesystem::path& folder, std::string_view stage, std::string_view name,
                                 int frame, std::string_view extension);

/// Makes the folder and those above it; nothing happens if it is there.
void create_folder(const std::filesystem::path& folder);

}  // namespace spindrift::cache
