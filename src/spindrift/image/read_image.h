#pragma once
// Pictures of any known kind, told by what is in the file, and look-ups in them.
//
//   Image sky = read_image("sky.exr");
//   Image friction = read_data_image("ice.png");
//   float here = lookup(friction, 0.25f, 0.75f).x;

#include <filesystem>

#include "spindrift/image/image.h"

namespace spindrift::image {

/// Reads PNG or OpenEXR as linear colours; throws IoError.
Image read_image(const std::filesystem::path& path);

/// Reads PNG or OpenEXR whose numbers are not colours but data, such as a friction map: no sRGB curve is undone.
Image read_data_image(const std::filesystem::path& path);

/// Bilinear between the centres of pixels. (0, 0) is the lower left corner; outside of 0 to 1 the picture repeats.
Vec3f lookup(const Image& image, float u, float v);

}  // namespace spindrift::image
