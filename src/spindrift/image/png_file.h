#pragma once
// PNG pictures on disk: 8-bit sRGB out, any kind in.
//
//   write_png("dam.0042.png", image);
//   Image friction = read_png_data("ice.png");

#include <filesystem>

#include "spindrift/core/atomic_file.h"
#include "spindrift/image/image.h"

namespace spindrift::image {

/// Writes aside and renames; throws IoError.
WrittenFile write_png(const std::filesystem::path& path, const Image& image);

/// Reads any PNG as linear RGB, transparent places over black; throws IoError.
Image read_png(const std::filesystem::path& path);

/// Reads the numbers of a PNG as they are, the largest as 1, whatever curve and transparency they have; throws IoError.
Image read_png_data(const std::filesystem::path& path);

}  // namespace spindrift::image
