#include "spindrift/stages/mesh/frame_lattice.h"

#include "spindrift/stages/mesh/mesh_particles.h"

namespace spindrift::stages {

FrameSampler::FrameSampler(const Scene& scene, const cache::Cache& cache)
    : scene_(scene), cache_(cache), walls_(scene_, cache) {}

surface::Lattice FrameSampler::sample(const io::FrameEntry& entry) {
    const FrameParticles particles = load_frame_particles(scene_, cache_, entry);
    const collision::Walls walls = walls_.at(entry.frame, particles.origin);
    return reconstructor_.sample({.particles = surface_view(particles),
                                  .params = scene_.mesh,
                                  .walls = walls.empty() ? nullptr : &walls,
                                  .id = particles.id,
                                  .time = entry.time});
}

}  // namespace spindrift::stages
