#pragma once
// Lines and letters over the finished picture.
//
//   draw_box_edges(image, layers, view, domain, particle_radius);
//   draw_legend(image, {"speed  m/s", {0, 4}, &color_map("speed")});
//   draw_swatches(image, swatches);

#include <array>
#include <span>
#include <string>

#include "spindrift/image/image.h"
#include "spindrift/render/camera.h"
#include "spindrift/render/color_map.h"
#include "spindrift/render/light_layers.h"

namespace spindrift::render {

using image::Image;

/// Thin lines, faint where a body stands in front of them by more than `depth_tolerance`.
void draw_box_edges(Image& image, const LightLayers& layers, const View& view, const Box3d& box, float depth_tolerance);

/// Colour bar in the lower left corner with its title and the values of its ends; left out of pictures too small for
/// it.
struct Legend {
    std::string title;
    std::array<double, 2> range;
    const ColorMap* map;
};
void draw_legend(Image& image, const Legend& legend);

/// Names beside their colours in the lower left corner, in as many lines; left out of pictures too small for them.
void draw_swatches(Image& image, std::span<const Swatch> swatches);

/// A line of text in the upper left corner.
void draw_label(Image& image, const std::string& text);

}  // namespace spindrift::render
