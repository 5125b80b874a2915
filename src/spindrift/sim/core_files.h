#pragma once
// The inside of a liquid with a narrow band of particles in the cache: core/name.0042.npz beside the frame's particles,
// a stage of the manifest.
//
//   write_core(scene, folder, manifest, {42, 1.75}, snapshot.grid);
//   snapshot.grid = read_core(scene, folder, manifest, 42);
//   ChannelSet all = read_filled_particles(folder / "particles/liquid.0042.npz");    // as if the band had no end

#include <filesystem>

#include "spindrift/io/manifest.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"
#include "spindrift/sim/body_files.h"

namespace spindrift::sim {

inline constexpr const char* core_stage = "core";

/// Writes the file of a frame and names it in the manifest; nothing happens if there are no arrays.
void write_core(const Scene& scene, const std::filesystem::path& folder, io::Manifest& manifest, const FrameTime& at,
                const ChannelSet& arrays);
/// Nothing if the scene has no narrow band. Throws IoError if the file is missing or damaged.
ChannelSet read_core(const Scene& scene, const std::filesystem::path& folder, const io::Manifest& manifest, int frame);

/// The same for a checkpoint, whose files lie beside it and are in no manifest.
void write_checkpoint_core(const std::filesystem::path& checkpoint, const ChannelSet& arrays);
ChannelSet read_checkpoint_core(const Scene& scene, const std::filesystem::path& checkpoint);

/// The particles of a frame, and eight in each cell of the core that has none: for meshes and pictures. Those have
/// negative ids and zero in all channels but P, v, density and pscale.
ChannelSet read_filled_particles(const std::filesystem::path& particles);

}  // namespace spindrift::sim
