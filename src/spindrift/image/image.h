#pragma once
// Pictures in memory.
//
//   Image image(960, 540, {1, 1, 1});
//   image.blend(10, 20, {0, 0, 0}, 0.5f);
//   Image thumbnail = downsample(image, 240, 135);

#include <cstddef>
#include <vector>

#include "spindrift/core/color.h"
#include "spindrift/core/vec.h"

namespace spindrift::image {

/// Rows from the top, linear RGB with Rec. 709 primaries; 1 is display white.
struct Image {
    int width = 0, height = 0;
    std::vector<Vec3f> pixels;

    Image() = default;
    Image(int width_, int height_, Vec3f fill = {});

    bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    Vec3f& at(int x, int y) { return pixels[index(x, y)]; }
    const Vec3f& at(int x, int y) const { return pixels[index(x, y)]; }

    /// Lays a colour over a pixel; places outside the picture are ignored.
    void blend(int x, int y, Vec3f color, float alpha);
    void blend_rectangle(int x, int y, int w, int h, Vec3f color, float alpha);
    /// Copies a picture with its corner at (x, y), cut at the borders.
    void paste(const Image& other, int x, int y);

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// What is read from files: pixels along a side, and in all.
inline constexpr long long most_side = 16384, most_pixels = 1LL << 27;

/// Brightness as the eye weighs the three primaries.
constexpr float luminance(Vec3f c) {
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

using spindrift::srgb_decode;
using spindrift::srgb_encode;

/// Averages over the area each new pixel covers; the new size must not be larger.
Image downsample(const Image& image, int width, int height);

}  // namespace spindrift::image
