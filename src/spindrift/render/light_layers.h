#pragma once
// A picture before its lights are put together.
//
// Sunlight and skylight that would arrive without shadows are kept apart from how much of the sun and of the sky was
// seen. Few shadow rays make the latter grainy; it changes slowly from pixel to pixel and may be smoothed without
// blurring particles.
//
//   layers.at(x, y).emitted = sky;   Image image = layers.compose(particle_radius);

#include <cstddef>
#include <limits>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

/// Averages over the samples of one pixel. Shares of sun and sky carry their weight, so that neighbours can be merged.
struct LitPixel {
    Vec3f emitted;             ///< seen whatever stands in the way: background, haze, light at the camera
    Vec3f sunlight, skylight;  ///< reflected if nothing stood in the way
    float sun_seen = 0, sun_weight = 0;
    float sky_seen = 0, sky_weight = 0;
    float ground = 0;    ///< share of the pixel that shows the ground
    float coverage = 0;  ///< share that shows particles or solids, and their mean depth
    float depth = 0;
};

class LightLayers {
  public:
    LightLayers(int width, int height)
        : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

    int width() const { return width_; }
    int height() const { return height_; }
    LitPixel& at(int x, int y) { return pixels_[static_cast<std::size_t>(y * width_ + x)]; }
    const LitPixel& at(int x, int y) const { return pixels_[static_cast<std::size_t>(y * width_ + x)]; }

    /// Smooths the shares of light between pixels that show the same thing (bodies: within `depth_tolerance` and a
    /// hundredth of the depth), adds up the layers and rolls off what is too bright to display.
    Image compose(float depth_tolerance) const;

  private:
    Vec3f lit(int x, int y, float depth_tolerance) const;

    int width_, height_;
    std::vector<LitPixel> pixels_;
};

}  // namespace spindrift::render
