// What frames tell of the liquid: how crowded it is, and how it turns.

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/step.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::flip {

namespace {

/// How full the cells of each leaf are, each under a tent of two cells' width around its middle.
using Filling = std::vector<std::array<float, grid::leaf_cells>>;

/// Adds what a neighbour's buffer has for the cells of a leaf.
void add_around(const float* buffer, Vec3i d, float* cells) {
    for (int n = 0; n < grid::leaf_cells; ++n) {
        const Vec3i at = Vec3i{n & 7, n >> 3 & 7, n >> 6} - d * grid::leaf_width + Vec3i{1, 1, 1};
        const bool reached = std::min({at.x, at.y, at.z}) >= 0 && std::max({at.x, at.y, at.z}) < around_width;
        if (reached) cells[n] += buffer[(at.z * around_width + at.y) * around_row + at.x];
    }
}

/// Of a cell of a leaf or of those around it; nothing where there is no leaf.
float value_at(const Filling& filling, const std::int32_t* near, Vec3i c) {
    const std::int32_t other = near[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)];
    if (other < 0) return 0;
    return filling[static_cast<std::size_t>(other)]
                  [static_cast<std::size_t>(grid::cell_index(c.x & 7, c.y & 7, c.z & 7))];
}

Filling find_filling(const fluid::SortedParticles& sorted, const Float4* x) {
    const GridKernels kernels = grid_kernels();
    const std::size_t total = sorted.leaves().size();
    const neighbors::GridView view = sorted.grid().view();
    std::vector<float> around(total * around_floats);
    Filling filling(total);
    parallel_for(total, 16, [&](Range range) {
        for (const std::size_t l : range) {
            const neighbors::Leaf& leaf = sorted.leaves()[l];
            const LeafPlace place{vec_cast<float>(leaf.coord * grid::leaf_width), 1 / view.h[0], 1 / particles_in_cell};
            kernels.measure_filling(place, x, leaf.first, leaf.first + leaf.count, around.data() + l * around_floats);
        }
    });
    parallel_for(total, 16, [&](Range range) {
        for (const std::size_t l : range) {
            filling[l].fill(0);
            for (int n = 0; n < 27; ++n) {
                const std::int32_t other = view.neighbors[27 * l + static_cast<std::size_t>(n)];
                if (other < 0) continue;
                add_around(around.data() + static_cast<std::size_t>(other) * around_floats,
                           {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}, filling[l].data());
            }
        }
    });
    sorted.refresh_leaves(filling.data());
    return filling;
}

/// The mean of the 27 cells around each.
Filling find_mean(const fluid::SortedParticles& sorted, const Filling& filling) {
    const neighbors::GridView view = sorted.grid().view();
    Filling mean(filling.size());
    parallel_for(filling.size(), 4, [&](Range range) {
        for (const std::size_t l : range) {
            for (int n = 0; n < grid::leaf_cells; ++n) {
                float sum = 0;
                for (int k = 0; k < 27; ++k) {
                    const Vec3i c = Vec3i{n & 7, n >> 3 & 7, n >> 6} + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                    sum += value_at(filling, view.neighbors + 27 * l, c);
                }
                mean[l][static_cast<std::size_t>(n)] = sum / 27;
            }
        }
    });
    sorted.refresh_leaves(mean.data());
    return mean;
}

/// Trilinear between the middles of cells; `local` counts from the corner of the leaf.
float filling_at(const Filling& filling, const std::int32_t* near, Vec3f local) {
    const Vec3f s = local - Vec3f{0.5f, 0.5f, 0.5f};
    const Vec3i low{static_cast<int>(std::floor(s.x)), static_cast<int>(std::floor(s.y)),
                    static_cast<int>(std::floor(s.z))};
    const Vec3f t = s - vec_cast<float>(low);
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3i d{k & 1, k >> 1 & 1, k >> 2};
        const float weight = (d.x ? t.x : 1 - t.x) * (d.y ? t.y : 1 - t.y) * (d.z ? t.z : 1 - t.z);
        sum += weight * value_at(filling, near, low + d);
    }
    return sum;
}

}  // namespace

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

/// Smooth, as pressure sees it: counts of particles in cells jump by a seventh where a row of them crosses a border.
fluid::DensityReport Solver::measure_density(ParticleStore& particles, std::vector<float>& relative) {
    fluid::StepReport ignored;
    sort(particles, ignored);
    cells_.count(sorted_.grid(), particles.position().data(), params_.spray);
    const Filling filling = find_mean(sorted_, find_filling(sorted_, particles.position().data()));
    relative.resize(particles.size());
    std::vector<double> largest(sorted_.leaves().size());
    const auto [error, neighbors] = sorted_.sums<2>([&](std::size_t l, Range own_particles) {
        const neighbors::Leaf& leaf = sorted_.leaves()[l];
        const std::int32_t* const near = sorted_.grid().view().neighbors + 27 * l;
        const LeafMask unknown = interior_.is_used() ? interior_.around(leaf.coord) : no_cells;
        const Vec3f corner = vec_cast<float>(leaf.coord * grid::leaf_width);
        std::array<double, 2> sums{};
        for (std::size_t i : own_particles) {
            const Vec3f x = particles.position()[i].xyz();
            const int cell = cells_.cell_of(l, x);
            relative[i] = is_set(unknown, cell) ? 1.f : filling_at(filling, near, x / cell_ - corner);
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
