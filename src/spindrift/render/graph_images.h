#pragma once
// What modules do with pictures.
//
//   Image depth = show_layer(*picture.layers, LayerName::depth, {});
//   Image half = composite(picture, other, CompositeMode::wipe, 0.5);

#include <array>
#include <optional>
#include <span>
#include <string>

#include "spindrift/image/image.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/looks/graph_params.h"

namespace spindrift::render {

/// Depths from white (near) to black (far, and where there is only sky), between the two given or those there are;
/// normals with x, y and z as red, green and blue from -1 to 1; ids each in its own colour, with black sky.
Image show_layer(const Layers& layers, LayerName layer, std::optional<std::array<double, 2>> depths);

/// Both of one size; `over` goes by the first picture's alpha. Throws UsageError if the sizes differ.
Image composite(const Picture& first, const Picture& second, CompositeMode mode, std::optional<double> amount);

/// Of another width and the same shape. Throws UsageError if it were too large to handle.
Image scale_to_width(const Image& image, int width);

/// In rows, with labels below if there are some. Throws UsageError if it were too large to handle.
Image side_by_side(std::span<const Image> images, std::span<const std::string> labels, int columns);

/// Lines in a corner, or in the middle above or below.
void write_words(Image& image, const std::string& text, Corner corner);

}  // namespace spindrift::render
