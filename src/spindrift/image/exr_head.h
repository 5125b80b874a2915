#pragma once
// The head of an OpenEXR file, read without the library, which takes memory for whatever the head claims: for
// attributes of any size, and for blocks of all channels.
//
//   check_exr_head(path);          // throws IoError if the file cannot hold what it says

#include <filesystem>

namespace spindrift::image {

void check_exr_head(const std::filesystem::path& path);

}  // namespace spindrift::image
