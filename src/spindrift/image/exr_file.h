#pragma once
// OpenEXR pictures on disk: linear floats.
//
//   write_exr("wet.0042.exr", image);
//   write_exr("height.exr", 256, 256, heights);       // one channel, Y

#include <filesystem>
#include <span>

#include "spindrift/image/image.h"

namespace spindrift::image {

/// Channels R, G, B of 32-bit floats; written aside and renamed. Throws IoError.
void write_exr(const std::filesystem::path& path, const Image& image);

/// One channel Y of 32-bit floats, rows from the top.
void write_exr(const std::filesystem::path& path, int width, int height, std::span<const float> values);

/// Reads R, G, B, or a single channel as grey; of several parts the first. Throws IoError.
Image read_exr(const std::filesystem::path& path);

}  // namespace spindrift::image
