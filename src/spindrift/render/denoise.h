#pragma once
// Takes the grain out of light on matte surfaces, where nothing is to be seen in it.
//
//   Irradiance light(width, height);     // filled by samples
//   std::vector<Vec3f> smooth = denoise(light);
//
// Source: Dammertz et al. 2010 (a wavelet that stops at edges), Schied et al. 2017 (steered by the variance). Differs:
// works on light before it is coloured, within one picture.

#include <cstddef>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::render {

/// Light on the matte surfaces that pixels show. All arrays have a value for each pixel.
struct Irradiance {
    int width = 0, height = 0;
    std::vector<Vec3f> light{};      ///< mean of the samples
    std::vector<float> variance{};   ///< of that mean's brightness
    std::vector<Vec3f> point{};      ///< on the surfaces, from the eye
    std::vector<Vec3f> normal{};     ///< of the surfaces, unit length
    std::vector<float> footprint{};  ///< width of a pixel there; 0 where there is no surface

    Irradiance(int width_, int height_);
    /// Takes the variance from pixels around, where samples are too few to tell.
    void guess_variance();
};

/// The light without its grain, averaged over up to 2^(levels + 1) pixels. `quick` looks at 9 places at each level in
/// place of 25.
std::vector<Vec3f> denoise(const Irradiance& noisy, int levels = 5, bool quick = false);

}  // namespace spindrift::render
