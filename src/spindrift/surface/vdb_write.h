#pragma once
// Surfaces as OpenVDB level sets, as other programs take them: `surface`, distances in metres and negative inside, and
// `vel`, metres per second, both in world space.
//
//   write_vdb_surfaces("water.0042.vdb", {{{.name = "surface", .mesh = &mesh}}}, 0.005, cells, v, {.frame = 42});

#include <filesystem>
#include <span>
#include <string>

#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/mesh.h"
#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift::surface {

/// A closed mesh and the name of its grid.
struct VdbSurface {
    std::string name;
    const geometry::Mesh* mesh;
};

struct VdbMeta {
    int frame = 0;
    double time = 0, fps = 24;
};

/// Distances are those to the finished meshes, true within three voxels (m) of them. `v` is the particles' velocity, in
/// the order of those that the cells sorted, for the points of the first surface's band; nullptr leaves `vel` out.
WrittenFile write_vdb_surfaces(const std::filesystem::path& path, std::span<const VdbSurface> surfaces, double voxel,
                               const neighbors::ParticleCells& cells, const ChannelArray* v, const VdbMeta& meta);

}  // namespace spindrift::surface
