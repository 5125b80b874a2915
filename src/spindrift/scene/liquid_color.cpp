#include "spindrift/scene/liquid_color.h"

#include <array>

#include "spindrift/image/color_map.h"

namespace spindrift {

namespace {

/// Chosen by eye under the lights of pictures; blue against orange stays clear for the colour-blind.
constexpr std::array<Vec3f, palette_size> palette{{image::water_color,
                                                   {0.80f, 0.27f, 0.02f},    // orange
                                                   {0.09f, 0.40f, 0.07f},    // green
                                                   {0.78f, 0.62f, 0.04f},    // yellow
                                                   {0.27f, 0.07f, 0.50f},    // violet
                                                   {0.56f, 0.02f, 0.03f},    // red
                                                   {0.07f, 0.62f, 0.58f},    // turquoise
                                                   {0.80f, 0.26f, 0.48f},    // pink
                                                   {0.17f, 0.075f, 0.025f},  // brown
                                                   {0.74f, 0.74f, 0.72f}}};  // white

}  // namespace

Vec3f palette_color(std::size_t index) {
    return palette[index % palette.size()];
}

Vec3f liquid_color(const Scene& scene, std::size_t index) {
    const bool given = index < scene.liquid.size() && scene.liquid[index].color;
    return given ? vec_cast<float>(*scene.liquid[index].color) : palette_color(index);
}

}  // namespace spindrift
