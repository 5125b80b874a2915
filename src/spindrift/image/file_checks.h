#pragma once
// What readers of pictures ask of a file before they take memory for it.
//
//   check_is_file(path);
//   check_size(path, width, height);

#include <filesystem>

namespace spindrift::image {

/// Throws IoError (missing) for what is not there, and for folders.
void check_is_file(const std::filesystem::path& path);

/// Throws IoError (corrupt) for pictures larger than most_side and most_pixels, or with nothing in them.
void check_size(const std::filesystem::path& path, long long width, long long height);

}  // namespace spindrift::image
