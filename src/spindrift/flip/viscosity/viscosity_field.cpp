#include "spindrift/flip/viscosity/viscosity_field.h"

#include <algorithm>
#include <array>

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

using grid::leaf_cells;

constexpr float unknown = -1;

void average_leaf(const Cells& cells, std::size_t leaf, const ViscousParticles& particles, float* out) {
    std::array<double, leaf_cells> sum{};
    std::array<int, leaf_cells> count{};
    cells.for_each_run(leaf, cells.wet(leaf), [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t p = first; p < last; ++p) {
            const auto cell = static_cast<std::size_t>(cells.cell_of(leaf, particles.x[p].xyz()));
            sum[cell] += static_cast<double>(particles.viscosity[p]);
            ++count[cell];
        }
    });
    for (std::size_t cell = 0; cell < leaf_cells; ++cell)
        out[cell] = count[cell] > 0 ? static_cast<float>(sum[cell] / count[cell]) : unknown;
}

/// Mean of what is known in the cells around one.
float mean_around(const grid::LeafSet& leaves, const grid::Field<float>& field, std::size_t leaf, int cell) {
    double sum = 0;
    int count = 0;
    for (int n = 0; n < 27; ++n) {
        const Vec3i other{(cell & 7) + n % 3 - 1, (cell >> 3 & 7) + n / 3 % 3 - 1, (cell >> 6) + n / 9 - 1};
        const float value = field.near(leaves, leaf, other);
        if (value < 0) continue;
        sum += static_cast<double>(value);
        ++count;
    }
    return count > 0 ? static_cast<float>(sum / count) : unknown;
}

}  // namespace

void average_viscosity(const MacGrid& grid, const Cells& cells, const ViscousParticles& particles,
                       grid::Field<float>& out) {
    const grid::LeafSet& leaves = grid.leaves;
    grid::Field<float> own("viscosity");
    own.resize(leaves.size(), unknown);
    out.resize(leaves.size(), unknown);
    parallel_for(leaves.size() - 1, 8, [&](Range range) {
        for (const std::size_t k : range) {
            const std::int32_t sorted = grid.sorted[k + 1];
            if (sorted >= 0)
                average_leaf(cells, static_cast<std::size_t>(sorted), particles, own.leaf(k + 1));
            else
                std::fill_n(own.leaf(k + 1), leaf_cells, unknown);
        }
    });
    parallel_for(leaves.size() - 1, 8, [&](Range range) {
        for (const std::size_t k : range) {
            const std::int32_t* near = leaves.neighbors(k + 1);
            const bool wet = std::any_of(near, near + 27,
                                         [&](std::int32_t l) { return grid.sorted[static_cast<std::size_t>(l)] >= 0; });
            const float* from = own.leaf(k + 1);
            float* to = out.leaf(k + 1);
            for (int cell = 0; cell < leaf_cells; ++cell)
                to[cell] = from[cell] < 0 && wet ? mean_around(leaves, own, k + 1, cell) : from[cell];
        }
    });
}

}  // namespace spindrift::flip
