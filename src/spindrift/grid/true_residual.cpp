#include "spindrift/grid/true_residual.h"

#include "spindrift/grid/leaf_loops.h"

namespace spindrift::grid {

namespace {

/// Values of a leaf and those around it.
template <class T>
struct Cells {
    const Field<T>& field;
    const std::int32_t* near;

    double at(int x, int y, int z) const {
        const std::int32_t leaf = near[neighbor_index(x >> 3, y >> 3, z >> 3)];
        return static_cast<double>(field.leaf(leaf)[cell_index(x & 7, y & 7, z & 7)]);
    }
};

double residual_of_leaf(const LeafSet& leaves, std::size_t leaf, const Stencil& stencil, const float* b,
                        const Field<double>& x, float* r) {
    const std::int32_t* near = leaves.neighbors(leaf);
    const Cells<double> p{x, near};
    const Cells<float> kx{stencil.coupling.x, near}, ky{stencil.coupling.y, near}, kz{stencil.coupling.z, near};
    const float* diagonal = stencil.diagonal.leaf(leaf);
    double squares = 0;
    for (int c = 0; c < leaf_cells; ++c) {
        const int i = c & 7, j = c >> 3 & 7, k = c >> 6;
        double rest = double{b[c]} - double{diagonal[c]} * p.at(i, j, k);
        rest += kx.at(i, j, k) * p.at(i - 1, j, k) + kx.at(i + 1, j, k) * p.at(i + 1, j, k);
        rest += ky.at(i, j, k) * p.at(i, j - 1, k) + ky.at(i, j + 1, k) * p.at(i, j + 1, k);
        rest += kz.at(i, j, k) * p.at(i, j, k - 1) + kz.at(i, j, k + 1) * p.at(i, j, k + 1);
        r[c] = static_cast<float>(rest);
        squares += rest * rest;
    }
    return squares;
}

}  // namespace

double true_residual(const LeafSet& leaves, const std::vector<std::int32_t>& active, const Stencil& stencil,
                     const Field<float>& b, const Field<double>& x, Field<float>& r) {
    return sum_leaves(leaves.ranks(), active.size(), [&](Range range, double* sums) {
        for (const std::size_t k : range) {
            const auto leaf = static_cast<std::size_t>(active[k]);
            sums[k] = residual_of_leaf(leaves, leaf, stencil, b.leaf(leaf), x, r.leaf(leaf));
        }
    });
}

}  // namespace spindrift::grid
