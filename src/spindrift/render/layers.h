#pragma once
// Light that reached the camera, and what else is known of each pixel.
//
//   Layers layers(960, 540);
//   layers.depth[layers.index(x, y)] = 2.5f;
//   Picture picture{develop(layers.light, 0), std::make_shared<Layers>(std::move(layers))};

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/image/image.h"

namespace spindrift::render {

using image::Image;

/// What a pixel of the layer `id` shows; colliders, liquids and bodies follow one another in the scene's order.
namespace body_id {
inline constexpr std::uint32_t sky = 0, floor = 1, other = 2, first_collider = 10, first_liquid = 1000,
                               first_cloud = 2000, first_particles = 3000, first_body = 4000;
}  // namespace body_id

/// All of one size, rows from the top. Alpha, normal and albedo are averages over the samples of a pixel, depth and id
/// those of its first.
struct Layers {
    Image light{};                    ///< linear, as bright as it is: sky and sun may be far above 1
    std::vector<float> alpha{};       ///< share of the pixel that shows anything but sky
    std::vector<float> depth{};       ///< m along the view; infinity where there is only sky
    std::vector<Vec3f> normal{};      ///< of what is met first, in the world; 0 for the sky
    std::vector<Vec3f> albedo{};      ///< of what is seen in the end, through water and glass; that of the sky is white
    std::vector<std::uint32_t> id{};  ///< see body_id

    Layers() = default;
    Layers(int width, int height)
        : light(width, height),
          alpha(light.pixels.size()),
          depth(light.pixels.size(), std::numeric_limits<float>::infinity()),
          normal(light.pixels.size()),
          albedo(light.pixels.size()),
          id(light.pixels.size()) {}

    int width() const { return light.width; }
    int height() const { return light.height; }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(light.width) + static_cast<std::size_t>(x);
    }
};

/// A picture as it is to be seen, and what it was made of. Modules that only change the image keep the layers.
struct Picture {
    Image image{};
    std::shared_ptr<const Layers> layers{};  ///< of the same size as the image, or none
};

/// Light to display: brighter by `exposure` stops, and rolled off where it is too bright to show.
Image develop(const Image& light, double exposure);

}  // namespace spindrift::render
