// Levels of detail of a frame: by where the scene's cameras look when it is drawn.

#include <algorithm>

#include "spindrift/fluid/liquid_of.h"
#include "spindrift/pbf/step.h"
#include "spindrift/sim/simulation.h"

namespace spindrift::sim {

namespace {

/// The cameras that count, as they are at a frame.
std::vector<geometry::Camera> watching(const Scene& scene, double frame) {
    std::vector<geometry::Camera> cameras;
    for (const geometry::CameraParams& camera : scene.camera) {
        const std::vector<std::string>& names = scene.lod.cameras;
        if (names.empty() || std::find(names.begin(), names.end(), camera.name) != names.end())
            cameras.push_back(camera.at(frame));
    }
    return cameras;
}

}  // namespace

void Simulation::choose_levels() {
    if (scene_.lod.model == lod::Model::none) return;
    const auto scope = solver_->timer().scope("lod");
    const auto start = std::chrono::steady_clock::now();
    const ParticleStore& particles = particles_;
    std::vector<std::uint8_t> levels(particles.size());
    const int most = scene_.solver.iterations;
    lod::Crowd crowd{.position = particles.position(), .origin = particles.origin, .spacing = liquids()[0].spacing};
    if (liquids().size() > 1)
        crowd.spacing_of = [&, of = fluid::LiquidOf(particles)](std::size_t i) { return liquids()[of(i)].spacing; };
    level_chooser_.choose(scene_.lod,
                          {.cameras = watching(scene_, frame_number(frame_seconds())),
                           .aspect = static_cast<double>(scene_.render.resolution[0]) / scene_.render.resolution[1]},
                          crowd, {.fewest = scene_.lod.fewest_of(most), .most = most}, levels);
    std::uint8_t* const by_slot = particles_.find_channel(pbf::level_channel)->as<std::uint8_t>().data();
    parallel_for(levels.size(), [&, by_slot, v = particles.velocity().data(), own = levels.data()](Range range) {
        for (std::size_t i : range)
            by_slot[ParticleStore::slot_of(v[i])] = own[i];
    });
    sums_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace spindrift::sim
