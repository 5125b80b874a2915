#pragma once
// What is written on a picture.
//
//   annotate(image, {.label = "frame 42",
//                    .legend = Legend{"speed (m/s)", {0, 4}, &image::color_map("speed")},
//                    .scale_bar = ScaleBar{0.001}});

#include <optional>
#include <string>
#include <vector>

#include "spindrift/image/color_map.h"
#include "spindrift/image/image.h"
#include "spindrift/render/annotate/draw_legend.h"
#include "spindrift/render/annotate/note_panels.h"

namespace spindrift::render {

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
    std::string label{};                    ///< a line of text in the upper left corner
    std::string title{};                    ///< larger letters, in the middle above
    std::vector<Text> texts{};              ///< beside or below what else is in their corners
    std::optional<Legend> legend{};         ///< colour bar in the lower left corner
    std::vector<image::Swatch> swatches{};  ///< names beside their colours, in place of the colour bar
    std::optional<ScaleBar> scale_bar{};    ///< in the lower right corner
};

/// What does not fit into a small picture is left out, and lines that are too long end with an ellipsis.
void annotate(Image& image, const Annotations& notes);

}  // namespace spindrift::render
