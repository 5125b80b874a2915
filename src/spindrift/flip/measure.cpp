// What frames tell of the liquid: how crowded it is, and how it turns.

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/step.h"

namespace spindrift::flip {

fluid::StepReport Solver::observe(ParticleStore& particles, const collision::Walls& walls) {
    fluid::StepReport report;
    sort(particles, report);
    build_grid(particles, walls);
    particles_to_grid(particles);
    float squared = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        squared = std::max(squared, dot(particles.velocity()[i].xyz(), particles.velocity()[i].xyz()));
    }
    report.max_speed = report.relative_speed = static_cast<double>(std::sqrt(squared));
    solved_ = {.measurable = true};
    return report;
}

fluid::DensityReport Solver::measure_density(ParticleStore& particles, std::vector<float>& relative) {
    fluid::StepReport ignored;
    sort(particles, ignored);
    cells_.count(sorted_.grid(), particles.position().data(), params_.spray);
    relative.resize(particles.size());
    std::vector<double> largest(sorted_.leaves().size());
    const auto [error, neighbors] = sorted_.sums<2>([&](std::size_t l, Range own_particles) {
        const neighbors::Leaf& leaf = sorted_.leaves()[l];
        const LeafMask unknown = interior_.is_used() ? interior_.around(leaf.coord) : no_cells;
        std::array<double, 2> sums{};
        for (std::size_t i : own_particles) {
            const int cell = cells_.cell_of(l, particles.position()[i].xyz());
            relative[i] =
                is_set(unknown, cell) ? 1.f : static_cast<float>(cells_.crowd(l)[cell]) / (27.f * Cells::full);
            const double own = std::max(0.0, static_cast<double>(relative[i]) - 1);
            largest[l] = std::max(largest[l], own);
            sums[0] += own;
            sums[1] += cells_.crowd(l)[cell];
        }
        return sums;
    });
    const double n = std::max<double>(1, static_cast<double>(particles.size()));
    return {error / n, largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end()), neighbors / n};
}

void Solver::measure_vorticity(const ParticleStore& particles, Channel<Vec3f> vorticity) {
    const float per_cell = 1 / cell_;
    parallel_for(std::min(particles.size(), vorticity.size()), [&, x = particles.position()](Range range) {
        for (std::size_t i : range)
            vorticity[i] = grid_.vorticity_at(x[i].xyz() * per_cell) * per_cell;
    });
}

}  // namespace spindrift::flip
