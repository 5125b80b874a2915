// Source: Batty and Bridson 2008, section 5 (volumes from samples of the distance).
// Equations: the share of liquid in an eighth of a cell is 1/2 - phi / w in its middle, from 0 to 1, w its width; phi
//   there is trilinear between the middles of cells. Shares of cells, faces and edges are means of eight such.
// Symbols: phi distance from the surface in cells, nu kinematic viscosity.

#include "spindrift/flip/viscosity/viscosity_kernels.h"
#include "spindrift/grid/row_kernels.h"

namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE {

namespace {

using grid::cell_index;
using grid::leaf_cells;
using grid::leaf_width;

/// Cells of a leaf and one layer around it; eighths of them as far as faces and edges of the leaf see.
constexpr int around = leaf_width + 2, eighths = 2 * leaf_width + 1;
/// Distance at which an eighth of a cell is full or empty, and the share that counts as nothing.
constexpr float half_eighth = 0.25f, least_share_of_place = 0.01f;

using Halo = float[around][around][around];
using Eighths = float[eighths][eighths][eighths];

/// Values of a leaf and of one layer of cells around it, z first.
void copy_halo(const grid::LeafSet& leaves, const float* field, std::size_t leaf, Halo& out) {
    const std::int32_t* near = leaves.neighbors(leaf);
    for (int z = -1; z <= leaf_width; ++z) {
        for (int y = -1; y <= leaf_width; ++y) {
            const std::int32_t* row = near + grid::neighbor_index(-1, y >> 3, z >> 3);
            const auto from = [&](int n) {
                return field + static_cast<std::size_t>(row[n]) * leaf_cells + cell_index(0, y & 7, z & 7);
            };
            float* to = out[z + 1][y + 1];
            to[0] = from(0)[7];
            for (int x = 0; x < leaf_width; ++x)
                to[x + 1] = from(1)[x];
            to[leaf_width + 1] = from(2)[0];
        }
    }
}

float between_0_and_1(float a) {
    return a > 1 ? 1 : a > 0 ? a : 0;
}

/// Between the middles of two cells, a quarter of the way; `at` counts eighths from the upper half of the cell before.
template <class At>
float quarter(int at, const At& value) {
    const int cell = (at + 1) / 2;
    return 0.75f * value(cell) + 0.25f * value(at % 2 == 0 ? cell + 1 : cell - 1);
}

void fill_eighths(const Halo& phi, Eighths& out) {
    float by_x[around][around][eighths], by_xy[around][eighths][eighths];
    for (int z = 0; z < around; ++z) {
        for (int y = 0; y < around; ++y) {
            for (int x = 0; x < eighths; ++x)
                by_x[z][y][x] = quarter(x, [&](int cell) { return phi[z][y][cell]; });
        }
        for (int y = 0; y < eighths; ++y) {
            for (int x = 0; x < eighths; ++x)
                by_xy[z][y][x] = quarter(y, [&](int cell) { return by_x[z][cell][x]; });
        }
    }
    for (int z = 0; z < eighths; ++z) {
        for (int y = 0; y < eighths; ++y) {
            for (int x = 0; x < eighths; ++x) {
                const float distance = quarter(z, [&](int cell) { return by_xy[cell][y][x]; });
                out[z][y][x] = between_0_and_1(0.5f - distance / (2 * half_eighth));
            }
        }
    }
}

/// Mean of eight eighths from (x, y, z) on.
float mean(const Eighths& in, int x, int y, int z) {
    const auto pair = [&](int dy, int dz) { return in[z + dz][y + dy][x] + in[z + dz][y + dy][x + 1]; };
    const float share = 0.125f * ((pair(0, 0) + pair(1, 0)) + (pair(0, 1) + pair(1, 1)));
    return share < least_share_of_place ? 0.f : share;
}

/// Shares alone.
void put_shares(const SharePass& pass, std::size_t leaf, const Halo& phi) {
    Eighths e;
    fill_eighths(phi, e);
    for (int cell = 0; cell < leaf_cells; ++cell) {
        const int x = 2 * (cell & 7), y = 2 * (cell >> 3 & 7), z = 2 * (cell >> 6);
        const std::size_t at = leaf * leaf_cells + static_cast<std::size_t>(cell);
        pass.cell[at] = mean(e, x + 1, y + 1, z + 1);
        pass.mass[0][at] = mean(e, x, y + 1, z + 1);
        pass.mass[1][at] = mean(e, x + 1, y, z + 1);
        pass.mass[2][at] = mean(e, x + 1, y + 1, z);
        pass.edge[0][at] = mean(e, x + 1, y, z);
        pass.edge[1][at] = mean(e, x, y + 1, z);
        pass.edge[2][at] = mean(e, x, y, z + 1);
    }
}

void put_constant(const SharePass& pass, std::size_t leaf, float value) {
    for (float* field :
         {pass.cell, pass.edge[0], pass.edge[1], pass.edge[2], pass.mass[0], pass.mass[1], pass.mass[2]}) {
        for (std::size_t at = leaf * leaf_cells; at < (leaf + 1) * leaf_cells; ++at)
            field[at] = value;
    }
}

/// Harmonic mean of those that are known.
float harmonic(float a, float b, float c, float d) {
    float sum = 0, count = 0;
    for (const float nu : {a, b, c, d}) {
        if (nu < 0) continue;
        sum += 1 / nu;
        count += 1;
    }
    return count > 0 ? count / sum : 0.f;
}

/// Shares times viscosities; returns the largest of these.
float multiply(const SharePass& pass, std::size_t leaf) {
    Halo nu;
    copy_halo(*pass.leaves, pass.viscosity, leaf, nu);
    float largest = 0;
    for (int cell = 0; cell < leaf_cells; ++cell) {
        const int x = (cell & 7) + 1, y = (cell >> 3 & 7) + 1, z = (cell >> 6) + 1;
        const std::size_t at = leaf * leaf_cells + static_cast<std::size_t>(cell);
        const float own = nu[z][y][x];
        if (pass.cell[at] > 0 && own > largest) largest = own;
        pass.cell[at] *= 2 * pass.scale * (own > 0 ? own : 0.f);
        pass.edge[0][at] *= pass.scale * harmonic(own, nu[z][y - 1][x], nu[z - 1][y][x], nu[z - 1][y - 1][x]);
        pass.edge[1][at] *= pass.scale * harmonic(own, nu[z][y][x - 1], nu[z - 1][y][x], nu[z - 1][y][x - 1]);
        pass.edge[2][at] *= pass.scale * harmonic(own, nu[z][y][x - 1], nu[z][y - 1][x], nu[z][y - 1][x - 1]);
    }
    return largest;
}

void share(const SharePass& pass, std::size_t leaf) {
    Halo phi;
    copy_halo(*pass.leaves, pass.phi, leaf, phi);
    bool empty = true, full = true;
    for (const auto& slice : phi) {
        for (const auto& row : slice) {
            for (const float distance : row) {
                empty &= distance >= half_eighth;
                full &= distance <= -half_eighth;
            }
        }
    }
    if (empty || full)
        put_constant(pass, leaf, full ? 1.f : 0.f);
    else
        put_shares(pass, leaf, phi);
    pass.strongest[leaf] = -1;
    if (empty) return;
    if (pass.viscosity) {
        pass.strongest[leaf] = pass.scale * multiply(pass, leaf);
        return;
    }
    pass.strongest[leaf] = pass.scale;
    for (std::size_t at = leaf * leaf_cells; at < (leaf + 1) * leaf_cells; ++at) {
        pass.cell[at] *= 2 * pass.scale;
        for (float* edge : pass.edge)
            edge[at] *= pass.scale;
    }
}

}  // namespace

ShareKernel share_kernel() {
    return share;
}

}  // namespace spindrift::flip::SPINDRIFT_ISA_NAMESPACE
