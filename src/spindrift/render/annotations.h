#pragma once
// What is written on a picture.
//
//   annotate(image, {.label = "frame 42",
//                    .legend = Legend{"speed (m/s)", {0, 4}, &color_map("speed")},
//                    .scale_bar = ScaleBar{0.001}});

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/image/image.h"
#include "spindrift/render/color_map.h"
#include "spindrift/render/note_panels.h"

namespace spindrift::render {

using image::Image;

/// Colours and the values they stand for.
struct Legend {
    std::string title;  ///< with unit
    std::array<double, 2> range;
    const ColorMap* map;
    bool whole =
        false;  ///< there are only whole numbers between the ends: each has a field instead of a place on a bar
};

/// Whole numbers that have fields of their own in a legend; of more there is a bar.
inline constexpr int most_fields = 12;

/// Whether a range is from one whole number to another, with few enough between them for fields of their own.
bool has_fields(const std::array<double, 2>& range);

/// A bar of a round length.
struct ScaleBar {
    double metres_per_pixel;
};

/// Lines of text at a place of the picture. Texts of one place follow each other towards the middle.
struct Text {
    std::string text;
    Corner corner = Corner::upper_left;
};

struct Annotations {
    std::string label{};                  ///< a line of text in the upper left corner
    std::string title{};                  ///< larger letters, in the middle above
    std::vector<Text> texts{};            ///< beside or below what else is in their corners
    std::optional<Legend> legend{};       ///< colour bar in the lower left corner
    std::vector<Swatch> swatches{};       ///< names beside their colours, in place of the colour bar
    std::optional<ScaleBar> scale_bar{};  ///< in the lower right corner
};

/// What does not fit into a small picture is left out, and lines that are too long end with an ellipsis.
void annotate(Image& image, const Annotations& notes);

}  // namespace spindrift::render
