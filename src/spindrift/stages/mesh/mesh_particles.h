#pragma once
// The particles of a frame as surfaces are made of them, checked.
//
//   const MeshParticles particles = load_mesh_particles(scene, cache, entry);
//   reconstructor.run({.particles = particles.view(), .params = scene.mesh, .channels = particles.carried});

#include <cstdint>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/io/manifest.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"
#include "spindrift/surface/particle_cells.h"

namespace spindrift::stages {

struct MeshParticles {
    ChannelSet channels{};
    Vec3d origin{};                        ///< of x, m
    std::vector<Vec3f> x{};                ///< m
    ConstChannel<std::uint16_t> liquid{};  ///< empty if there is one only
    ConstChannel<std::int64_t> id{};       ///< empty if the frame has none
    std::vector<double> spacing{};         ///< of each liquid, m
    /// What meshes carry: v, Cd if there is one, and what [mesh] names.
    std::vector<const ChannelArray*> carried{};

    surface::ParticleView view() const { return {.x = x, .origin = origin, .liquid = liquid, .spacing = spacing}; }
    std::size_t size() const { return x.size(); }
};

/// Throws IoError if the file is missing or its channels are not those of particles of this scene, UsageError if a
/// channel to carry is not there.
MeshParticles load_mesh_particles(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& entry);

}  // namespace spindrift::stages
