#pragma once
// Many pictures on one.
//
//   write_png("sheet.png", contact_sheet(shots, labels, 3));

#include <span>
#include <string>

#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

/// Pixels between the shots and around them, and the height of the strip below each for its label.
inline constexpr int sheet_gap = 8, sheet_strip = 20;

/// Shots from left to right and top to bottom, each in a cell of the largest shot's size with its label centred
/// below. Without labels (an empty span) the strips are left out.
Image contact_sheet(std::span<const Image> shots, std::span<const std::string> labels, int columns);

}  // namespace spindrift::render
