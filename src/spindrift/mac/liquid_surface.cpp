#include "spindrift/mac/liquid_surface.h"

#include <algorithm>
#include <functional>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"
#include "spindrift/mac/surface_beside_walls.h"

namespace spindrift::mac {

namespace {

/// Liquid this near to the middle of a cell that is inside of a wall goes on into it: pressure knows no gap there.
constexpr float reaches_into_wall = 0.5f, inside_wall = -0.5f;
/// Share of a cell whose gap beside a wall is narrower than a spacing: particles do not tell whether it is full.
constexpr float below_a_spacing = 0.45f;
/// Of 26: an empty cell with so many neighbours that are not is a gap between particles, no bubble.
constexpr int neighbors_of_gap = 23;
/// Distance in a gap.
constexpr float inside_gap = -0.5f;
/// How far, in cells, a cell's own filling may put the surface below where that of the 27 cells around it does: more is
/// the chance of a few particles.
constexpr float most_by_chance = 0.4f;
/// Share that walls leave under the tents around a cell below which nobody can tell how full it is.
constexpr float least_under_tents = 0.1f;
/// Cells of 27 that walls leave below which nobody can tell how full they are.
constexpr float least_around = 2;

void lower(float* phi, const LeafMask& mask, float most) {
    for_each_set(mask, [&](int cell) { phi[cell] = std::min(phi[cell], most); });
}

void set_all(float* phi, const LeafMask& mask, float value) {
    for_each_set(mask, [&](int cell) { phi[cell] = value; });
}

/// A surface d above the middle of a cell leaves 1/2 + d / 3 of the 27 cells around it full.
void find_wide(const std::uint16_t* crowd, const float* room, const LeafMask& known, const float* narrow, float* wide) {
    for (int cell = 0; cell < grid::leaf_cells; ++cell) {
        const float whole = particles_in_cell * (room ? std::max(room[cell], 1.f) : 27.f);
        const bool unknown = is_set(known, cell) || (room && room[cell] < least_around);
        wide[cell] = unknown ? narrow[cell] : 1.5f - 3 * static_cast<float>(crowd[cell]) / whole;
    }
}

/// Distance of a surface above the middle of a cell of which so much is full, under the mean of the tents around its
/// faces; below a fill of 5 / 6, which deep cells do not have, as it goes on from there.
float depth_of(float fullness) {
    constexpr float near = 1.f / 48, far = 1.f / 6;
    const float missing = std::max(0.f, 1 - fullness);
    if (missing < near) return 1.5f - std::sqrt(12 * missing);
    if (missing < far) return (11 - std::sqrt(240 * missing - 4)) / 10;
    return 0.5f - 2 * (missing - far);
}

/// Mean distance of the cells across the faces of one that walls do not hold; there is one at least. Those across open
/// faces, if there are some: what is behind a thin wall says nothing of this side.
float mean_outside(const MacGrid& grid, std::span<const LeafMask> outside, std::size_t leaf, int cell) {
    float sum[2] = {}, count[2] = {};
    for (int side = 0; side < 6; ++side) {
        Vec3i c{cell & 7, cell >> 3 & 7, cell >> 6};
        c[side / 2] += side % 2 ? 1 : -1;
        const auto other =
            static_cast<std::size_t>(grid.leaves.neighbors(leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)]);
        const int place = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
        if (!is_set(outside[other], place)) continue;
        const int kind = is_open(grid, leaf, cell, side);
        sum[kind] += std::min(grid.phi.leaf(other)[place], 1.f);
        count[kind] += 1;
    }
    return count[1] > 0 ? sum[1] / count[1] : sum[0] / count[0];
}

}  // namespace

void LiquidSurface::find_deep(const MacGrid& grid, const Solids& solids) {
    const std::size_t total = grid.leaves.size();
    filled_.assign(total, no_cells);
    enclosed_.resize(total);
    deep_.resize(total);
    gaps_.resize(total);
    deeper_.assign(total, no_cells);
    measured_.resize(total);
    for (std::size_t l = 1; l < total; ++l)
        filled_[l] = either(grid.wet[l], solids.inside(l));
    enclosed_[0] = deep_[0] = measured_[0] = gaps_[0] = no_cells;
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range)
            gaps_[k + 1] = holes(halo(grid.leaves, k + 1, filled_), neighbors_of_gap);
    });
    for (std::size_t l = 1; l < total; ++l)
        filled_[l] = either(filled_[l], gaps_[l]);
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            enclosed_[l] = eroded(halo(grid.leaves, l, filled_));
            deep_[l] = both(enclosed_[l], either(grid.wet[l], gaps_[l]));
        }
    });
    // Distances are for cells that are not deep: from particles in those and beside them.
    std::vector<LeafMask> calm(total, no_cells);
    for (std::size_t l = 1; l < total; ++l)
        calm[l] = either(deep_[l], solids.inside(l));
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            if (!any(grid.wet[l])) {
                measured_[l] = no_cells;
                continue;
            }
            const LeafMask inner = eroded(halo(grid.leaves, l, calm));
            deeper_[l] = both(deep_[l], inner);
            measured_[l] = without(grid.wet[l], inner);
        }
    });
}

void LiquidSurface::find_fullness(const MacGrid& grid, const Solids& solids) {
    const GridKernels kernels = grid_kernels();
    const std::size_t zero = 0;
    fullness_.resize(grid.leaves.size(), 0);
    parallel_for(grid.leaves.size() - 1, 32, [&](Range range) {
        for (const std::size_t k : range) {
            float* const out = fullness_.leaf(k + 1);
            // Nobody asks where there is no particle.
            if (!any(grid.wet[k + 1])) continue;
            kernels.mean_of_faces(
                {.leaves = &grid.leaves,
                 .faces = {grid.crowd[0].leaf(zero), grid.crowd[1].leaf(zero), grid.crowd[2].leaf(zero)},
                 .cells = out},
                k + 1);
            const float* const room = solids.wide_tent(k + 1);
            for (int cell = 0; !room && cell < grid::leaf_cells; ++cell)
                out[cell] *= 1 / particles_in_cell;
            for (int cell = 0; room && cell < grid::leaf_cells; ++cell)
                out[cell] /= particles_in_cell * std::max(room[cell], least_under_tents);
        }
    });
}

void LiquidSurface::find(MacGrid& grid, const Cells& cells, const Solids& solids, const neighbors::LeafGrid& sorted,
                         const Float4* x) {
    const Particles particles{cells, sorted, x};
    find_fullness(grid, solids);
    find_deep(grid, solids);
    find_filling(grid, solids, particles);
    find_layers(grid, particles);
    extend_beside_walls(grid, solids, below_a_spacing);
    extend_into_walls(grid, solids);
    extend_into_bodies(grid, solids);
}

/// Fills buffers around leaves whose particles are measured and that `wanted` says yes to.
template <class Wanted>
void LiquidSurface::gather(const MacGrid& grid, const Particles& particles, MeasureKernel measure, float start,
                           const Wanted& wanted) {
    const std::size_t total = grid.leaves.size();
    buffer_of_.assign(total, -1);
    measuring_.clear();
    for (std::size_t l = 1; l < total; ++l) {
        if (!any(measured_[l]) || grid.sorted[l] < 0 || !wanted(l)) continue;
        buffer_of_[l] = static_cast<std::int32_t>(measuring_.size());
        measuring_.push_back(l);
    }
    around_.renew(measuring_.size() * around_floats);
    parallel_for(measuring_.size(), 4, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = measuring_[k];
            float* const buffer = around_.data() + k * around_floats;
            std::fill(buffer, buffer + around_floats, start);
            const auto own = static_cast<std::size_t>(grid.sorted[l]);
            const LeafPlace place{vec_cast<float>(particles.sorted.leaves()[own].coord * grid::leaf_width),
                                  1 / particles.sorted.resolutions().h[0]};
            particles.cells.for_each_run(own, measured_[l], [&](std::uint32_t first, std::uint32_t last) {
                measure(place, particles.x, first, last, buffer);
            });
        }
    });
}

/// What particles leave full is the liquid: its surface is where it would be if the liquid were flat there.
void LiquidSurface::find_filling(MacGrid& grid, const Solids& solids, const Particles& particles) {
    const GridKernels kernels = grid_kernels();
    const std::size_t total = grid.leaves.size();
    gather(grid, particles, kernels.measure_filling, 0, [](std::size_t) { return true; });
    const AroundPass pass{.buffers = around_.data(),
                          .buffer_of = buffer_of_.data(),
                          .leaves = &grid.leaves,
                          .phi = grid.phi.leaf(std::size_t{0})};
    wide_.resize(total, far_outside);
    thin_.assign(total, 0);
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            float *const phi = grid.phi.leaf(l), *const wide = wide_.leaf(l);
            const bool found = kernels.combine_filling(pass, l, deep_[l], solids.tent(l));
            // A cell that the surface is just above may be deep or not by the chance of a particle: it is as deep all
            // the same.
            for_each_set(without(both(deep_[l], grid.wet[l]), either(deeper_[l], grid.near_core[l])),
                         [&](int cell) { phi[cell] = std::max(-depth_of(fullness(l)[cell]), deep_inside); });
            const LeafMask gaps = either(gaps_[l], grid.core[l]);
            lower(phi, gaps, inside_gap);
            set_all(phi, solids.inside(l), far_outside);
            if (!found) continue;
            std::uint16_t own[grid::leaf_cells];
            find_wide(crowd_of(grid, particles.cells, l, own), solids.room(l), either(deep_[l], gaps), phi, wide);
            bool thin = false;
            for (int cell = 0; cell < grid::leaf_cells; ++cell) {
                // Where there is nothing chance took nothing: a hole stays one however full its surroundings are.
                if (is_set(grid.wet[l], cell)) phi[cell] = std::min(phi[cell], wide[cell] + most_by_chance);
                phi[cell] = std::max(phi[cell], deep_inside);
                thin |= phi[cell] < far_outside && wide[cell] - phi[cell] > flat_by;
            }
            thin_[l] = thin;
        }
    });
}

/// Particles in the 27 cells around each cell; in `own` if the leaf has none itself.
const std::uint16_t* LiquidSurface::crowd_of(const MacGrid& grid, const Cells& cells, std::size_t leaf,
                                             std::uint16_t* own) {
    if (grid.sorted[leaf] >= 0) return cells.crowd(static_cast<std::size_t>(grid.sorted[leaf]));
    std::int32_t near[27];
    for (int n = 0; n < 27; ++n) {
        const std::int32_t other = grid.leaves.neighbors(leaf)[n];
        near[n] = other > 0 ? grid.sorted[static_cast<std::size_t>(other)] : -1;
    }
    cells.sum_around(near, own);
    return own;
}

/// Liquid too thin to fill half of a cell resists all the same, as balls around its particles.
void LiquidSurface::find_layers(MacGrid& grid, const Particles& particles) {
    const GridKernels kernels = grid_kernels();
    gather(grid, particles, kernels.measure_distance, 100, [&](std::size_t l) {
        const std::int32_t* near = grid.leaves.neighbors(l);
        return std::any_of(near, near + 27, [&](std::int32_t n) { return thin_[static_cast<std::size_t>(n)] != 0; });
    });
    const AroundPass pass{.buffers = around_.data(),
                          .buffer_of = buffer_of_.data(),
                          .leaves = &grid.leaves,
                          .phi = grid.phi.leaf(std::size_t{0})};
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            if (thin_[k + 1]) kernels.combine_distance(pass, k + 1, wide_.leaf(k + 1));
        }
    });
}

/// The liquid goes on into walls as high as it stands beside them.
void LiquidSurface::extend_into_walls(MacGrid& grid, const Solids& solids) const {
    std::vector<LeafMask> outside(grid.leaves.size(), no_cells);
    for (std::size_t l = 1; l < outside.size(); ++l)
        std::transform(solids.inside(l).begin(), solids.inside(l).end(), outside[l].begin(), std::bit_not<>());
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            const LeafMask& inside = solids.inside(l);
            if (!any(inside)) continue;
            const LeafMask border = beside(grid.leaves.neighbors(l), outside), inner = without(inside, border);
            float* const phi = grid.phi.leaf(l);
            for_each_set(border,
                         [&](int cell) { phi[cell] = std::min(phi[cell], mean_outside(grid, outside, l, cell)); });
            if (!any(inner)) continue;
            const LeafMask beside_deep = dilated(halo(grid.leaves, l, deep_));
            for_each_set(inner, [&](int cell) {
                if (phi[cell] < reaches_into_wall || is_set(beside_deep, cell))
                    phi[cell] = std::min(phi[cell], inside_wall);
            });
        }
    });
}

}  // namespace spindrift::mac
