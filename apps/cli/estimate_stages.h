#pragma once
// What meshes and pictures of a scene would take: rules of thumb, from a dam break at three spacings.
//
//   StageEstimate mesh = estimate_meshes(scene, particles, frames);

#include "cli/estimate.h"

namespace spindrift::cli {

/// Of the program itself, with its libraries: what a scene of no particles takes.
inline constexpr double program_bytes = 60e6;

StageEstimate estimate_meshes(const Scene& scene, double particles, int frames);
/// If the liquid splashes all the while.
StageEstimate estimate_whitewater(const Scene& scene, double particles, int frames);
StageEstimate estimate_pictures(const Scene& scene, double particles, int frames);

}  // namespace spindrift::cli
