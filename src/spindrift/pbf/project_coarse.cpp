// Pressure before the iterations: which of the two projections a scene has.

#include <algorithm>
#include <cmath>
#include <span>

#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

namespace {

/// Whether liquids may be projected on the grid: those without surface tension, whose drops of a few cells swing too
/// slowly there (docs/decisions/0027).
bool are_plain(const std::vector<Liquid>& liquids) {
    return std::none_of(liquids.begin(), liquids.end(), [](const Liquid& liquid) { return liquid.has_tension(); });
}

/// Whether the bodies among walls are as wide as the projection on the grid needs them: a cube of five cells is lifted
/// by its volume within 4 % there, one of two by a fifth less (docs/decisions/0027).
bool are_wide(const collision::Walls& walls) {
    constexpr double fewest_cells = 5 * 5 * 5;
    return std::none_of(walls.fields.begin(), walls.fields.end(), [](const collision::WallField& field) {
        if (field.body < 0) return false;
        double volume = 0;
        for (const Float4& point : std::span(field.inside, field.inside_count))
            volume += static_cast<double>(point.w);
        return field.thin || volume * std::pow(static_cast<double>(field.cell), 3) < fewest_cells;
    });
}

}  // namespace

int Solver::project_coarse(ParticleStore& particles, const forces::ForceSet& forces, const collision::Walls& walls,
                           float dt, Coupling* coupling) {
    const auto scope = context_.timer.scope("coarse");
    if (!params_.coarse) return 0;
    // Loose cloth yields to pressure: only particles push it.
    collision::Walls pressing;
    const bool loose = std::any_of(walls.fields.begin(), walls.fields.end(), [](const auto& f) { return !f.presses; });
    if (loose) {
        pressing = walls;
        std::erase_if(pressing.fields, [](const auto& f) { return !f.presses; });
    }
    Float4 *const x = particles.position().data(), *const v = particles.velocity().data();
    const collision::Walls& solid = loose ? pressing : walls;
    int iterations = 0;
    if (are_plain(properties_.rule().kinds()) && (!coupling || are_wide(solid))) {
        iterations = projection_.project(sorted_.grid(), solid, properties_.density(), x, v, dt / h_, sorted_.held(),
                                         {coupling, tables_.unit(), properties_.rule().reference_density()});
    } else {
        const CoarseProjection::Bodies bodies{
            .coupling = coupling, .unit = tables_.unit(), .density = properties_.rule().reference_density()};
        iterations =
            coarse_.project(sorted_.grid(), solid, properties_.density(), forces.gravity * dt, x, v, dt / h_, bodies);
    }
    sorted_.held().keep_velocities(particles);
    sorted_.held().keep_positions(particles);
    return iterations;
}

}  // namespace spindrift::pbf
