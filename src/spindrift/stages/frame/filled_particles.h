#pragma once
// The channels of a frame, with particles where a narrow band has none.
//
//   const ChannelSet all = read_filled_particles(cache, *cache.find(cache::series::particles, 42));

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift::stages {

/// The particles of a frame, and eight in each cell of a narrow band's interior that has none: for meshes and pictures.
/// Those have negative ids and zero in all channels but P, v, density and pscale. Throws IoError if a file is missing
/// or damaged.
ChannelSet read_filled_particles(const cache::Cache& cache, const io::FrameEntry& particles);

}  // namespace spindrift::stages
