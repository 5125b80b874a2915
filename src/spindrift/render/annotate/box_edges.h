#pragma once
// The edges of the domain, drawn over a picture.
//
//   draw_box_edges(picture.image, *picture.layers, view, domain, particle_radius);

#include "spindrift/core/vec.h"
#include "spindrift/geometry/camera.h"
#include "spindrift/render/layers.h"

namespace spindrift::render {

/// Thin lines, faint where a body stands in front of them by more than `depth_tolerance`.
void draw_box_edges(Image& image, const Layers& layers, const geometry::View& view, const Box3d& box,
                    float depth_tolerance);

}  // namespace spindrift::render
