#include "spindrift/flip/tension.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/flip/tension_kernels.h"

namespace spindrift::flip {

namespace {

using grid::leaf_cells;

/// Each makes the share of liquid wider by a variance of half a cell squared. None follows the bumps of single
/// particles; with more the curvature of a drop is that of a rounder one, and what is drawn out is drawn out farther.
constexpr int smoothings = 1;
constexpr std::size_t zero = 0;
/// Of the time in which the shortest waves cross a cell. The surface of particles jumps from cell to cell and pushes a
/// step late: with 0.28, which is enough for a smooth one (Brackbill et al. 1992), and more, drops shake themselves
/// apart; from 0.12 on they come to rest.
constexpr double share_of_crossing = 0.125;

}  // namespace

double SurfaceTension::longest_step(double tension, double density, double cell) {
    return tension > 0 ? share_of_crossing * std::sqrt(density * cell * cell * cell / tension) : 1e30;
}

void SurfaceTension::smooth(const MacGrid& grid, grid::Field<float>& field) {
    const TensionKernels kernels = tension_kernels();
    for (int k = 0; k < 3 * smoothings; ++k) {
        const SmoothPass pass{&grid.leaves, field.leaf(zero), scratch_.leaf(zero), k % 3};
        parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
            for (std::size_t l : range)
                kernels.smooth(pass, l + 1);
        });
        field.swap(scratch_);
    }
}

void SurfaceTension::find(const MacGrid& grid, const Solids& solids, double scale) {
    const std::size_t total = grid.leaves.size();
    for (grid::Field<float>* field : {&share_, &jump_})
        field->resize(total, 0);
    // Beyond the leaves is air.
    weight_.resize(total, 1);
    scratch_.resize(total, 0);
    normal_.resize(total, 0);
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t l = k + 1;
            const LeafMask& inside = solids.inside(l);
            for (int cell = 0; cell < leaf_cells; ++cell) {
                const float weight = is_set(inside, cell) ? 0.f : 1.f;
                weight_.leaf(l)[cell] = weight;
                share_.leaf(l)[cell] = weight * std::clamp(0.5f - grid.phi.leaf(l)[cell], 0.f, 1.f);
            }
        }
    });
    smooth(grid, share_);
    scratch_.resize(total, 1);
    smooth(grid, weight_);
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            for (int cell = 0; cell < leaf_cells; ++cell)
                share_.leaf(k + 1)[cell] /= std::max(weight_.leaf(k + 1)[cell], 1e-3f);
        }
    });
    const TensionKernels kernels = tension_kernels();
    float* const normal[3] = {normal_.x.leaf(zero), normal_.y.leaf(zero), normal_.z.leaf(zero)};
    const NormalPass normals{&grid.leaves, share_.leaf(zero), {normal[0], normal[1], normal[2]}};
    const CurvaturePass curvature{&grid.leaves, {normal[0], normal[1], normal[2]}, jump_.leaf(zero)};
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range)
            kernels.find_normals(normals, k + 1);
    });
    parallel_for(total - 1, 16, [&](Range range) {
        for (std::size_t k : range) {
            kernels.find_curvature(curvature, k + 1);
            for (int cell = 0; cell < leaf_cells; ++cell)
                jump_.leaf(k + 1)[cell] *= static_cast<float>(scale);
        }
    });
}

}  // namespace spindrift::flip
