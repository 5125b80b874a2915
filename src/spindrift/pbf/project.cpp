// Pressure before the iterations.

#include <algorithm>

#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

int Solver::project(ParticleStore& particles, const collision::Walls& walls, float dt, Coupling* coupling) {
    const auto scope = context_.timer.scope("coarse");
    if (!params_.coarse) return 0;
    // Loose cloth yields to pressure: only particles push it.
    collision::Walls pressing;
    const bool loose = std::any_of(walls.fields.begin(), walls.fields.end(), [](const auto& f) { return !f.presses; });
    if (loose) {
        pressing = walls;
        std::erase_if(pressing.fields, [](const auto& f) { return !f.presses; });
    }
    const int iterations =
        projection_.project(sorted_.grid(), loose ? pressing : walls, properties_.density(),
                            particles.position().data(), particles.velocity().data(), dt / h_, sorted_.held(),
                            {coupling, tables_.unit(), properties_.rule().reference_density()});
    sorted_.held().keep_velocities(particles);
    sorted_.held().keep_positions(particles);
    return iterations;
}

}  // namespace spindrift::pbf
