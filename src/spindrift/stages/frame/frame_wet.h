#pragma once
// Wet maps of a frame, as the cache has them: wet/rock.0042.exr for each collider that has one.
//
//   const WetImages wet = read_wet_images(scene, cache, 42);

#include <cstddef>
#include <map>
#include <string>

#include "spindrift/cache/cache.h"
#include "spindrift/image/image.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// By index of the collider.
using WetImages = std::map<std::size_t, image::Image>;

WetImages read_wet_images(const Scene& scene, const cache::Cache& cache, int frame);

/// Hash of a frame's wet maps; empty if there are none.
std::string wet_hash(const Scene& scene, const cache::Cache& cache, int frame);

}  // namespace spindrift::stages
