#pragma once
// The particles of a frame as surfaces are made of them.
//
//   const FrameParticles particles = load_frame_particles(scene, cache, entry);
//   reconstructor.run({.particles = surface_view(particles), .params = scene.mesh});

#include <filesystem>
#include <vector>

#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/frame/frame_particles.h"

namespace spindrift::stages {

neighbors::ParticleView surface_view(const FrameParticles& particles);

/// What meshes carry: v, Cd if there is one, and what [mesh] names. Throws UsageError with the file's name if a channel
/// is not there.
std::vector<const ChannelArray*> carried_channels(const Scene& scene, const ChannelSet& channels,
                                                  const std::filesystem::path& path);

}  // namespace spindrift::stages
