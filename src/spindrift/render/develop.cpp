#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/render/layers.h"

namespace spindrift::render {

namespace {

/// Identity up to 0.7, from there a smooth approach to 1.
float roll_off(float x) {
    constexpr float knee = 0.7f;
    return x <= knee ? x : 1 - (1 - knee) * std::exp(-(x - knee) / (1 - knee));
}

}  // namespace

Image develop(const Image& light, double exposure) {
    Image image = light;
    const auto gain = static_cast<float>(std::exp2(exposure));
    parallel_for(image.pixels.size(), [&](Range range) {
        for (const auto i : range) {
            const Vec3f c = image.pixels[i] * gain;
            image.pixels[i] = {roll_off(c.x), roll_off(c.y), roll_off(c.z)};
        }
    });
    return image;
}

}  // namespace spindrift::render
