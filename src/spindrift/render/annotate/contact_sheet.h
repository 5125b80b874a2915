#pragma once
// Many pictures on one.
//
//   write_png("sheet.png", contact_sheet(shots, labels, 3));

#include <algorithm>
#include <span>
#include <string>

#include "spindrift/image/image.h"
#include "spindrift/render/annotate/font.h"

namespace spindrift::render {

using image::Image;

/// Pixels between the shots and around them.
inline constexpr int sheet_gap = 8;

/// Letters of labels, a little larger than those on the shots, and the height of the strip below each shot for them.
constexpr double sheet_text_size(int shot_height) {
    return std::max(12.0, 1.2 * text_size(shot_height));
}
constexpr int sheet_strip(int shot_height) {
    return static_cast<int>(1.6 * sheet_text_size(shot_height));
}

/// Shots from left to right and top to bottom, each in a cell of the largest shot's size with its label centred
/// below, cut with an ellipsis if it is too long. Without labels (an empty span) the strips are left out.
Image contact_sheet(std::span<const Image> shots, std::span<const std::string> labels, int columns);

}  // namespace spindrift::render
