#pragma once
// Surfaces as OpenVDB level sets, as other programs take them: `surface`, distances in metres and negative inside, and
// `vel`, metres per second, both in world space.
//
//   write_vdb_surface("water.0042.vdb", frame.lattice, reconstructor.cells(), channels.find("v"), {.frame = 42});

#include <filesystem>
#include <string>

#include "spindrift/particles/channel_array.h"
#include "spindrift/surface/cells.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

struct VdbMeta {
    int frame = 0;
    double time = 0, fps = 24;
};

/// Distances are true ones within three voxels of the surface. `v` may be nullptr.
void write_vdb_surface(const std::filesystem::path& path, const Lattice& lattice, const Cells& cells,
                       const ChannelArray* v, const VdbMeta& meta);

}  // namespace spindrift::surface
