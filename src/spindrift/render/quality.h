#pragma once
// What the quality words stand for.
//
//   Effort effort = effort_of(params);      // of "preview": 6 paths per pixel

#include <cstddef>
#include <cstdint>

#include "spindrift/render/looks/params.h"

namespace spindrift::render {

struct Effort {
    std::uint32_t samples;  ///< paths per pixel
    int surfaces;           ///< clear ones that a path follows
    int bounces;            ///< between matte ones after the first
    int gathered;           ///< clear ones on the way of light to a matte one
    float photons;          ///< for each pixel
    float faint;            ///< mirrors inside of liquids that show no more than the mean of the sky
    float brightest;        ///< light of one sample; what is brighter would sparkle
    bool denoise;
    bool quick_build;
};

inline Effort effort_of(const RenderParams& params) {
    constexpr Effort efforts[] = {{1, 6, 0, 3, 0.3f, 0.2f, 4, true, true},
                                  {6, 12, 1, 5, 1.2f, 0.1f, 8, true, false},
                                  {128, 24, 3, 24, 6.f, 0, 24, true, false}};
    Effort effort = efforts[static_cast<std::size_t>(params.quality)];
    if (params.samples) effort.samples = static_cast<std::uint32_t>(*params.samples);
    if (params.denoise) effort.denoise = *params.denoise;
    return effort;
}

}  // namespace spindrift::render
