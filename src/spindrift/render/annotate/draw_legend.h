#pragma once
// Legends of colours, in the lower left corner of a picture.
//
//   NotePanels panels(image);
//   draw_legend(image, panels, {"speed (m/s)", {0, 4}, &image::color_map("speed")});

#include <array>
#include <span>
#include <string>

#include "spindrift/image/color_map.h"
#include "spindrift/image/image.h"
#include "spindrift/render/annotate/note_panels.h"

namespace spindrift::render {

using image::Image;

/// Colours and the values they stand for.
struct Legend {
    std::string title;  ///< with unit
    std::array<double, 2> range;
    const image::ColorMap* map;
    bool whole =
        false;  ///< there are only whole numbers between the ends: each has a field instead of a place on a bar
};

/// Whole numbers that have fields of their own in a legend; of more there is a bar.
inline constexpr int most_fields = 12;

/// Whether a range is from one whole number to another, with few enough between them for fields of their own.
bool has_fields(const std::array<double, 2>& range);

/// A title, a bar of colours with ticks at round numbers or, for few whole numbers, a field for each, and numbers
/// below.
void draw_legend(Image& image, NotePanels& panels, const Legend& legend);

/// Names beside their colours.
void draw_swatches(Image& image, NotePanels& panels, std::span<const image::Swatch> swatches);

}  // namespace spindrift::render
