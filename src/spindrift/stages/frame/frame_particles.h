#pragma once
// The particles of a frame, as the cache has them.
//
//   const FrameParticles particles = load_frame_particles(scene, cache, *cache.find(cache::series::particles, 42));
//   for (const Vec3f x : particles.x) ... particles.origin + x ...

#include <cstdint>
#include <vector>

#include "spindrift/cache/cache.h"
#include "spindrift/core/channel.h"
#include "spindrift/io/manifest.h"
#include "spindrift/particles/channel_array.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// Checked against the scene. The views are of memory that it holds.
struct FrameParticles {
    ChannelSet channels{};
    Vec3d origin{};                        ///< of x, m
    ConstChannel<Vec3f> x{};               ///< m
    ConstChannel<std::uint16_t> liquid{};  ///< empty if there is one only
    ConstChannel<std::int64_t> id{};       ///< empty if the frame has none
    std::vector<double> spacing{};         ///< of each liquid, m
    std::vector<Vec3f> moved{};            ///< what x is of if the frame counts from another origin

    FrameParticles() = default;
    FrameParticles(FrameParticles&&) = default;
    FrameParticles& operator=(FrameParticles&&) = default;

    std::size_t size() const { return x.size(); }
};

/// With those that fill a narrow band's interior. Throws IoError if a file is missing, damaged, or its channels are not
/// those of particles of this scene.
FrameParticles load_frame_particles(const Scene& scene, const cache::Cache& cache, const io::FrameEntry& entry);

/// Relative to an origin, where floats are fine enough however far the liquid has fallen. Throws UsageError if there
/// are none.
std::vector<Vec3f> particle_positions(const ChannelSet& particles, Vec3d origin);

}  // namespace spindrift::stages
