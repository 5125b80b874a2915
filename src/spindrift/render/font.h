#pragma once
// Text in pictures, by a small bitmap font of the ASCII characters.
//
//   draw_text(image, 10, 10, "frame 42", {.color = {1, 1, 1}, .scale = 2});

#include <string_view>

#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

struct TextStyle {
    Vec3f color{};
    /// Side of one dot of the font in pixels.
    int scale = 1;
};

/// Letters are 5 dots wide and 7 high, with one dot between them and one below the line for descenders.
inline constexpr int glyph_width = 5, glyph_height = 8, glyph_advance = 6;

/// The scale that stays readable in a picture of this height: 2 at 540 lines.
constexpr int text_scale(int image_height) {
    return image_height < 540 ? 1 : image_height / 270;
}

/// Width in pixels from the first to the last dot.
int text_width(std::string_view text, int scale);

/// (x, y) is the upper left corner; characters outside ASCII 32-126 are drawn as '?'.
void draw_text(Image& image, int x, int y, std::string_view text, const TextStyle& style);

}  // namespace spindrift::render
