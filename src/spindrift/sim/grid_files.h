#pragma once
// The solver's grids in the cache: grids/name.0042.vdb with all that output.grids asks for, a stage of the manifest.
//
//   write_grids(scene, folder, manifest, simulation);
//   grid::Volume pressure = grid::read_vdb_volume(folder / "grids/liquid.0042.vdb", "pressure");

#include <filesystem>

#include "spindrift/io/manifest.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

inline constexpr const char* grid_stage = "grids";

/// Writes the file of the frame that the simulation reached and names it in the manifest; nothing happens if the scene
/// asks for no grids. Comes after the frame's snapshot.
void write_grids(const Scene& scene, const std::filesystem::path& folder, io::Manifest& manifest,
                 Simulation& simulation);

/// Throws IoError if the scene asks for grids and the file that the manifest names for a frame is not what was written.
void check_grids(const Scene& scene, const std::filesystem::path& folder, const io::Manifest& manifest, int frame);

}  // namespace spindrift::sim
