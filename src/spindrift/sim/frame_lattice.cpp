#include "spindrift/sim/frame_lattice.h"

#include "spindrift/sim/frame_walls.h"
#include "spindrift/sim/mesh_particles.h"
#include "spindrift/surface/reconstruct.h"

namespace spindrift::sim {

surface::Lattice sample_frame(const Scene& scene, const std::filesystem::path& folder, const io::FrameEntry& entry) {
    Scene plain = scene;
    plain.mesh.channels.clear();  // they would have to be there, and nothing carries them
    const MeshParticles particles = load_mesh_particles(plain, folder, entry);
    FrameWalls frame_walls(scene, folder);
    const collision::Walls walls = frame_walls.at(entry.frame, particles.origin);
    return surface::Reconstructor().sample({.particles = particles.view(),
                                            .params = scene.mesh,
                                            .walls = walls.empty() ? nullptr : &walls,
                                            .id = particles.id,
                                            .time = entry.time});
}

}  // namespace spindrift::sim
