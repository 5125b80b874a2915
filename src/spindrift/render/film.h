#pragma once
// Samples of a picture, added up.
//
//   Film film(960, 540);
//   film.at(x, y).add(sample);
//   Layers layers = film.layers(view, samples, denoise);

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "spindrift/geometry/camera.h"
#include "spindrift/render/layers.h"
#include "spindrift/render/path.h"

namespace spindrift::render {

class Film {
  public:
    struct Pixel {
        Sample sum{};
        float brightness = 0, squares = 0;              ///< of matte light, and its square
        float clear_brightness = 0, clear_squares = 0;  ///< the same of the other
        Vec3f point{};                                  ///< what is met first, from the eye, of the first sample
        float depth = std::numeric_limits<float>::infinity();
        Vec3f normal{};
        std::uint32_t id = 0;

        void add(const Sample& sample);
    };

    Film(int width, int height)
        : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

    Pixel& at(int x, int y) {
        return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
    }

    /// What there is after so many samples of each pixel.
    Layers layers(const geometry::View& view, std::uint32_t samples, bool smooth) const;

  private:
    std::vector<Vec3f> smooth_light(const geometry::View& view, std::uint32_t samples) const;
    std::vector<Vec3f> smooth_clear(const geometry::View& view, std::uint32_t samples) const;

    int width_, height_;
    std::vector<Pixel> pixels_;
};

}  // namespace spindrift::render
