#pragma once
// Text in pictures: DejaVu Sans, which is part of the program.
//
//   const double size = text_size(image.height);
//   draw_text(image, 10, 10 + cap_height(size), "flow 3 m²/s", {.color = {1, 1, 1}, .size = size});
//
// Texts are UTF-8. What is not, and characters that the font lacks, are drawn as a replacement; line ends and other
// control characters as spaces. All functions may run on several threads at once.

#include <algorithm>
#include <string>
#include <string_view>

#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

struct TextStyle {
    Vec3f color{};
    /// Of the font in pixels: lines may follow each other at this distance or a little more.
    double size = 16;
};

/// The size that reads well in a picture of this height: 30 pixels at 1080 lines.
constexpr double text_size(int image_height) {
    return std::max(10.0, image_height / 36.0);
}

/// Height of capital letters and digits above the baseline.
constexpr double cap_height(double size) {
    return 0.729 * size;
}

/// Width in pixels, with the space that letters have around them.
double text_width(std::string_view text, double size);

/// The text, or as much of its beginning as fits with an ellipsis behind it; empty if not even that fits.
std::string fit_text(std::string_view text, double size, double width);

/// From x to the right, with the letters standing on the baseline; cut at the borders of the picture. Baselines at
/// whole pixels look sharpest.
void draw_text(Image& image, double x, double baseline, std::string_view text, const TextStyle& style);

}  // namespace spindrift::render
