#include "spindrift/scene/liquid_color.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/image/color_map.h"

namespace spindrift {
namespace {

/// Lightness and two opponent colours in which distances look even (Oklab, Ottosson 2020).
Vec3f oklab(Vec3f c) {
    const float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
    const float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
    const float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

TEST(LiquidColor, defaults_are_clearly_apart_and_start_with_water) {
    const Scene scene;
    EXPECT_EQ(liquid_color(scene, 0), image::water_color);
    EXPECT_GE(palette_size, 8u);
    for (std::size_t i = 0; i < palette_size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            // 0.02 is just noticeable side by side; shading takes most of a lightness difference away.
            EXPECT_GT(length(oklab(liquid_color(scene, i)) - oklab(liquid_color(scene, j))), 0.14f) << i << ' ' << j;
        }
    }
    EXPECT_EQ(liquid_color(scene, palette_size + 1), liquid_color(scene, 1));
}

TEST(LiquidColor, a_given_color_takes_the_place_of_the_default) {
    Scene scene;
    scene.liquid.resize(2);
    scene.liquid[1].color = Vec3d{0.25, 0.5, 1};
    EXPECT_EQ(liquid_color(scene, 0), image::water_color);
    EXPECT_EQ(liquid_color(scene, 1), (Vec3f{0.25f, 0.5f, 1}));
}

}  // namespace
}  // namespace spindrift
