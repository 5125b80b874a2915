#pragma once
// Which files the mesh stage writes for a frame, and the writing of them.
//
//   for (const MeshSeries& series : mesh_series(scene)) {
//       std::filesystem::path path = series.path(folder, 42);          // cache/mesh/liquid.water.0042.ply
//       write_mesh_file(path, series, reconstruction);
//   }

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/cache/series.h"
#include "spindrift/core/atomic_file.h"
#include "spindrift/scene/scene.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::stages {

struct MeshSeries : cache::Series {
    surface::Format format = surface::Format::ply;
    std::optional<std::size_t> liquid{};  ///< whose closed mesh this is; none: the mesh of all
};

/// Whether a series of the manifest holds meshes: "mesh", or "mesh/name.ply" beside it.
bool holds_meshes(std::string_view series);

/// What [mesh] asks for, at least one; the first is the one whose entries tell the quality.
std::vector<MeshSeries> mesh_series(const Scene& scene);

/// Anything but a level set.
WrittenFile write_mesh_file(const std::filesystem::path& path, const MeshSeries& series,
                            const surface::Reconstruction& frame);

}  // namespace spindrift::stages
