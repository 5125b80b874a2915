#pragma once
// What is written on a picture.
//
//   annotate(image, {.label = "frame 42", .legend = Legend{"speed  m/s", {0, 4}, &color_map("speed")}});

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/image/image.h"
#include "spindrift/render/color_map.h"

namespace spindrift::render {

using image::Image;

/// Colours and the values they stand for.
struct Legend {
    std::string title;  ///< with unit
    std::array<double, 2> range;
    const ColorMap* map;
};

/// A bar of a round length.
struct ScaleBar {
    double metres_per_pixel;
};

struct Annotations {
    std::string label{};                  ///< a line of text in the upper left corner
    std::optional<Legend> legend{};       ///< colour bar in the lower left corner
    std::vector<Swatch> swatches{};       ///< names beside their colours, in place of the colour bar
    std::optional<ScaleBar> scale_bar{};  ///< in the lower right corner
};

/// What does not fit into a small picture is left out.
void annotate(Image& image, const Annotations& notes);

}  // namespace spindrift::render
