#include "spindrift/stages/mesh/frame_lattice.h"

#include <utility>

#include "spindrift/stages/mesh/mesh_particles.h"

namespace spindrift::stages {

namespace {

/// Channels would have to be there, and nothing carries them.
Scene without_channels(Scene scene) {
    scene.mesh.channels.clear();
    return scene;
}

}  // namespace

FrameSampler::FrameSampler(const Scene& scene, const cache::Cache& cache)
    : scene_(without_channels(scene)), cache_(cache), walls_(scene_, cache) {}

surface::Lattice FrameSampler::sample(const io::FrameEntry& entry) {
    const MeshParticles particles = load_mesh_particles(scene_, cache_, entry);
    const collision::Walls walls = walls_.at(entry.frame, particles.origin);
    return reconstructor_.sample({.particles = particles.view(),
                                  .params = scene_.mesh,
                                  .walls = walls.empty() ? nullptr : &walls,
                                  .id = particles.id,
                                  .time = entry.time});
}

}  // namespace spindrift::stages
