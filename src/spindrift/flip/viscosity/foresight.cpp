#include "spindrift/flip/viscosity/foresight.h"

#include <algorithm>

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

void copy_all(const grid::AxisFields<float>& from, grid::AxisFields<float>& to) {
    for (int axis = 0; axis < 3; ++axis) {
        to[axis].resize(from[axis].leaves(), 0);
        std::copy_n(from[axis].leaf(std::size_t{0}), from[axis].leaves() * grid::leaf_cells,
                    to[axis].leaf(std::size_t{0}));
    }
}

}  // namespace

void Foresight::begin(const MacGrid& grid) {
    copy_all(grid.velocity, start_);
}

void Foresight::clear(const MacGrid& grid) {
    pressure_.resize(grid.leaves.size(), 0);
    pressure_.fill(0);
}

void Foresight::note_slowed(const MacGrid& grid) {
    copy_all(grid.velocity, slowed_);
}

void Foresight::go_back(MacGrid& grid, double share) {
    const auto scale = static_cast<float>(share);
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (const std::size_t k : range) {
            float* sum = pressure_.leaf(k + 1);
            const float* p = grid.pressure.leaf(k + 1);
            for (int n = 0; n < grid::leaf_cells; ++n)
                sum[n] += scale * p[n];
            for (int axis = 0; axis < 3; ++axis) {
                float *u = grid.velocity[axis].leaf(k + 1), *start = start_[axis].leaf(k + 1);
                const float* slowed = slowed_[axis].leaf(k + 1);
                for (int n = 0; n < grid::leaf_cells; ++n)
                    u[n] = start[n] += scale * (u[n] - slowed[n]);
            }
        }
    });
}

void Foresight::add_to(MacGrid& grid) const {
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (int n = 0; n < grid::leaf_cells; ++n)
            grid.pressure.leaf(l)[n] += pressure_.leaf(l)[n];
    }
}

}  // namespace spindrift::flip
