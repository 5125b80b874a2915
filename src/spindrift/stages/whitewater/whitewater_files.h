#pragma once
// The files of whitewater: one for each kind and frame, which are also what the next frame goes on from.
//
//   for (const WhitewaterSeries& series : whitewater_series(scene))
//       io::write_arrays(series.path(folder, 42), whitewater_channels(particles, series.kind, {flow, origin}));

#include <filesystem>
#include <string_view>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"
#include "spindrift/whitewater/flow.h"
#include "spindrift/whitewater/particles.h"

namespace spindrift::stages {

struct WhitewaterSeries : cache::Series {
    whitewater::Kind kind = whitewater::Kind::spray;
};

/// Of the kinds that [whitewater] has, in the order of kinds.
std::vector<WhitewaterSeries> whitewater_series(const Scene& scene);

/// Where the particles are.
struct WhitewaterFrame {
    const whitewater::Flow& flow;           ///< of the frame
    Vec3d origin{};                         ///< that positions count from
    ScalarType position = ScalarType::f32;  ///< of world coordinates in files
};
/// The channels of one kind.
ChannelSet whitewater_channels(const whitewater::Particles& all, whitewater::Kind kind, const WhitewaterFrame& frame);

/// Adds the particles of a file behind those there are. Throws IoError if it is not one of these.
void read_whitewater(const std::filesystem::path& path, whitewater::Kind kind, Vec3d origin,
                     whitewater::Particles& all);

}  // namespace spindrift::stages
