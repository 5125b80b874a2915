#pragma once
// Pictures on disk: 8-bit sRGB PNG.
//
//   write_png("dam.0042.png", image);

#include <filesystem>

#include "spindrift/image/image.h"

namespace spindrift::image {

/// Writes aside and renames; throws IoError.
void write_png(const std::filesystem::path& path, const Image& image);

/// Reads any PNG as linear RGB, transparent places over black; throws IoError.
Image read_png(const std::filesystem::path& path);

}  // namespace spindrift::image
