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
    deep_.resize(total);
    gaps_.resize(total);
    deeper_.assign(total, no_cells);
    measured_.resize(total);
    for (std::size_t l = 1; l < total; ++l)
        filled_[l] = either(grid.wet[l], solids.inside(l));
    deep_[0] = measured_[0] = gaps_[0] = no_cells;
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range)
            gaps_[k + 1] = holes(halo(grid.leaves, k + 1, filled_), neighbors_of_gap);
    });
    for (std::size_t l = 1; l < total; ++l)
        filled_[l] = either(filled_[l], gaps_[l]);
    parallel_for(total - 1, 32, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            deep_[l] = both(eroded(halo(grid.leaves, l, filled_)), either(grid.wet[l], gaps_[l]));
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
    distances_.resize(measuring.size() * distance_floats);
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
            const std::size_t l = k + 1;
            kernels.combine_distance(pass, l, deep_[l]);
            lower(grid.phi.leaf(l), gaps_[l], inside_gap);
            const LeafMask& inside = solids.inside(l);
            if (!any(inside)) continue;
            const LeafMask beside_deep = dilated(halo(grid.leaves, l, deep_));
            float* phi = grid.phi.leaf(l);
            for (int cell = 0; cell < grid::leaf_cells; ++cell) {
                if (is_set(inside, cell) && (phi[cell] < reaches_into_wall || is_set(beside_deep, cell)))
                    phi[cell] = std::min(phi[cell], inside_wall);
            }
        }
    });
}

}  // namespace spindrift::flip
