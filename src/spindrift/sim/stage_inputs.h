#pragma once
// What the stages of a cache have in common: which frames they take, and how their files are called.
//
//   std::vector<io::FrameEntry> frames = frames_between(manifest, folder, 10, 20, "to render");
//   std::vector<std::string> names = safe_file_names({"olive oil", ""}, "liquid");       // olive_oil, liquid_1

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/io/manifest.h"

namespace spindrift::sim {

/// The particle frames from `first` to `last`, or from the first or to the last there is. Throws IoError if the cache
/// has none, UsageError if none of them is asked for; `purpose` ends the sentence "the cache has no frames ... yet".
std::vector<io::FrameEntry> frames_between(const io::Manifest& manifest, const std::filesystem::path& folder,
                                           std::optional<int> first, std::optional<int> last, const char* purpose);

/// Names that are good parts of file names and all different; `what` and its number stands for one that is empty.
std::vector<std::string> safe_file_names(std::vector<std::string> names, const char* what);

}  // namespace spindrift::sim
