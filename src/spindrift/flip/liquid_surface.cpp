#include "spindrift/flip/liquid_surface.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/grid_kernels.h"

namespace spindrift::flip {

namespace {

/// Liquid this near to the middle of a cell that is inside of a wall goes on into it: pressure knows no gap there.
constexpr float reaches_into_wall = 0.5f, inside_wall = -0.5f;
/// Of 26: an empty cell with so many neighbours that are not is a gap between particles, no bubble.
constexpr int neighbors_of_gap = 23;
/// Distance in a gap.
constexpr float inside_gap = -0.5f;

void lower(float* phi, const LeafMask& mask, float most) {
    if (!any(mask)) return;
    for (int cell = 0; cell < grid::leaf_cells; ++cell) {
        if (is_set(mask, cell)) phi[cell] = std::min(phi[cell], most);
    }
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

void LiquidSurface::find(MacGrid& grid, const Cells& cells, const Solids& solids, const neighbors::LeafGrid& sorted,
                         const Float4* x) {
    const GridKernels kernels = grid_kernels();
    find_deep(grid, solids);
    const std::size_t total = grid.leaves.size();
    buffer_of_.assign(total, -1);
    std::vector<std::size_t> measuring;
    for (std::size_t l = 1; l < total; ++l) {
        if (!any(measured_[l])) continue;
        buffer_of_[l] = static_cast<std::int32_t>(measuring.size());
        measuring.push_back(l);
    }
    distances_.renew(measuring.size() * distance_floats);
    parallel_for(measuring.size(), 4, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = measuring[k];
            float* const buffer = distances_.data() + k * distance_floats;
            std::fill(buffer, buffer + distance_floats, 100.f);
            const auto own = static_cast<std::size_t>(grid.sorted[l]);
            const LeafPlace place{vec_cast<float>(sorted.leaves()[own].coord * grid::leaf_width),
                                  1 / sorted.resolutions().h[0]};
            cells.for_each_run(own, measured_[l], [&](std::uint32_t first, std::uint32_t last) {
                kernels.measure_distance(place, x, first, last, buffer);
            });
        }
    });
    const DistancePass pass{.buffers = distances_.data(),
                            .buffer_of = buffer_of_.data(),
                            .leaves = &grid.leaves,
                            .phi = grid.phi.leaf(std::size_t{0})};
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            kernels.combine_distance(pass, k + 1, deep_[k + 1]);
            lower(grid.phi.leaf(k + 1), gaps_[k + 1], inside_gap);
        }
    });
    extend_into_walls(grid, solids);
}

/// The liquid goes on into walls as high as it stands beside them.
void LiquidSurface::extend_into_walls(MacGrid& grid, const Solids& solids) const {
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            const LeafMask& inside = solids.inside(l);
            if (!any(inside)) continue;
            const LeafMask beside_deep = dilated(halo(grid.leaves, l, deep_));
            float* phi = grid.phi.leaf(l);
            for (int cell = 0; cell < grid::leaf_cells; ++cell) {
                if (!is_set(inside, cell)) continue;
                float sum = 0, count = 0;
                for (int side = 0; side < 6; ++side) {
                    Vec3i c{cell & 7, cell >> 3 & 7, cell >> 6};
                    c[side / 2] += side % 2 ? 1 : -1;
                    const auto other = static_cast<std::size_t>(
                        grid.leaves.neighbors(l)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)]);
                    const int place = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
                    if (other == 0 || is_set(solids.inside(other), place)) continue;
                    sum += std::min(grid.phi.leaf(other)[place], 1.f);
                    count += 1;
                }
                if (count > 0) {
                    phi[cell] = std::min(phi[cell], sum / count);
                } else if (phi[cell] < reaches_into_wall || is_set(beside_deep, cell)) {
                    phi[cell] = std::min(phi[cell], inside_wall);
                }
            }
        }
    });
}

}  // namespace spindrift::flip
