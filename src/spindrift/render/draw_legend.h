#pragma once
// Legends of colours, in the lower left corner of a picture.
//
//   NotePanels panels(image);
//   draw_legend(image, panels, {"speed (m/s)", {0, 4}, &color_map("speed")});

#include <span>

#include "spindrift/render/annotations.h"

namespace spindrift::render {

/// A title, a bar of colours with ticks at round numbers or, for few whole numbers, a field for each, and numbers
/// below.
void draw_legend(Image& image, NotePanels& panels, const Legend& legend);

/// Names beside their colours.
void draw_swatches(Image& image, NotePanels& panels, std::span<const Swatch> swatches);

}  // namespace spindrift::render
