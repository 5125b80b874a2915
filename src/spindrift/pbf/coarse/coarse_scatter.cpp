#include "spindrift/pbf/coarse/coarse_scatter.h"

#include <algorithm>
#include <span>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse/coarse_cell_kernels.h"
#include "spindrift/pbf/coarse/coarse_hats.h"

namespace spindrift::pbf {

namespace {

using neighbors::Leaf;

constexpr float node_spacing = CoarseBlocks::node_spacing, cell_volume = CoarseBlocks::cell_volume;
constexpr int nodes = CoarseBlocks::nodes, leaf_cells = CoarseBlocks::leaf_cells, leaf_nodes = CoarseBlocks::leaf_nodes;

}  // namespace

void CoarseScatter::scatter(CoarseBlocks& blocks, const neighbors::LeafGrid& grid, const fluid::PerParticle& density,
                            const Float4* x, const Float4* v) {
    const std::span<const Leaf> leaves = grid.leaves();
    leaf_sums_.resize(leaves.size() * leaf_nodes * leaf_nodes * leaf_nodes);
    cell_sums_.resize(leaves.size() * leaf_cells * leaf_cells * leaf_cells);
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            if (blocks.places[l].middle >= 0) scatter_leaf(blocks.places[l], l, grid, density, x, v);
        }
    });
}

void CoarseScatter::scatter_leaf(CoarseBlocks::Place& place, std::size_t l, const neighbors::LeafGrid& grid,
                                 const fluid::PerParticle& density, const Float4* x, const Float4* v) {
    const Leaf& leaf = grid.leaves()[l];
    const int cells = place.cells, cell_total = cells * cells * cells;
    CellSums cell_sums[leaf_cells * leaf_cells * leaf_cells];
    std::fill(cell_sums, cell_sums + cell_total, CellSums{});
    float mass = 0;
    const Quad corner = corner_of(place.origin, node_spacing);
    for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
        const CellPosition at(x[p], corner, cells, node_spacing);
        CellSums& cell = cell_sums[at.cell];
        cell.momentum_x += v[p].x * at.yz;
        cell.momentum_y += v[p].y * at.xz;
        cell.momentum_z += v[p].z * at.xy;
        cell.fill[0] += (1 - at.x) * at.yz;
        cell.fill[1] += at.x * at.yz;
        cell.velocity += Quad{v[p].x, v[p].y, v[p].z, 1};
        if (density.each) {
            cell.lightness += 1 / density.each[p];
            mass += density.each[p];
        }
    }

    NodeSums* out = &leaf_sums_[l * leaf_nodes * leaf_nodes * leaf_nodes];
    float* content = &cell_sums_[l * leaf_cells * leaf_cells * leaf_cells];
    std::fill(out, out + (cells + 1) * (cells + 1) * (cells + 1), NodeSums{});
    const float h = grid.resolutions().h[leaf.resolution], volume = particle_volume * h * h * h;
    place.mass = volume * (density.each ? mass : static_cast<float>(leaf.count));
    const float slope = volume / node_spacing;
    for (int c = 0; c < cell_total; ++c) {
        const CellSums& cell = cell_sums[c];
        const float count = cell.velocity[3];
        content[c] = (density.each ? cell.lightness : count) * volume;
        if (count == 0) continue;
        const Vec3f mean = Vec3f{cell.velocity[0], cell.velocity[1], cell.velocity[2]} / count;
        for (int k = 0; k < 8; ++k) {
            const int i = k & 1, j = k >> 1 & 1, m = k >> 2;
            const float sx = i ? slope : -slope, sy = j ? slope : -slope, sz = m ? slope : -slope;
            const int corner_index = j + 2 * m;
            NodeSums& node = out[node_of(c, cells, i, j, m)];
            node.rhs +=
                sx * cell.momentum_x[corner_index] + sy * cell.momentum_y[i + 2 * m] + sz * cell.momentum_z[i + 2 * j];
            const float fill = volume * cell.fill[i][corner_index];
            node.fill += fill;
            node.gradient += Vec3f{sx * (cell.fill[0][corner_index] + cell.fill[1][corner_index]),
                                   sy * (cell.fill[i][2 * m] + cell.fill[i][2 * m + 1]),
                                   sz * (cell.fill[i][j] + cell.fill[i][j + 2])};
            node.velocity += mean * fill;
        }
    }
}

void CoarseScatter::gather(const CoarseBlocks& blocks, std::size_t b, NodeSums* sums, float* mobility) const {
    float content[nodes] = {};
    std::fill(sums, sums + nodes, NodeSums{});
    const Vec3i first = blocks.blocks[b].coord * 4;
    for (std::uint32_t k = blocks.leaf_starts[b]; k < blocks.leaf_starts[b + 1]; ++k) {
        const std::size_t l = blocks.leaves_at[k];
        const int cells = blocks.places[l].cells, side = cells + 1;
        const Vec3i shift = first - blocks.places[l].origin;
        const NodeSums* leaf_sums = &leaf_sums_[l * leaf_nodes * leaf_nodes * leaf_nodes];
        const float* leaf_content = &cell_sums_[l * leaf_cells * leaf_cells * leaf_cells];
        const auto from = [&](int a) { return std::max(0, -shift[a]); };
        const auto to = [&](int a) { return std::min(3, cells - shift[a]); };
        for (int z = from(2); z <= to(2); ++z) {
            for (int y = from(1); y <= to(1); ++y) {
                for (int x = from(0); x <= to(0); ++x) {
                    const Vec3i at = Vec3i{x, y, z} + shift;
                    const int n = (z * 4 + y) * 4 + x;
                    const NodeSums& part = leaf_sums[(at.z * side + at.y) * side + at.x];
                    sums[n].rhs += part.rhs;
                    sums[n].fill += part.fill;
                    sums[n].gradient += part.gradient;
                    sums[n].velocity += part.velocity;
                    if (at.x == cells || at.y == cells || at.z == cells) continue;
                    content[n] += leaf_content[(at.z * cells + at.y) * cells + at.x];
                }
            }
        }
    }
    for (std::size_t n = 0; n < nodes; ++n)
        mobility[n] = content[n] / cell_volume;
}

}  // namespace spindrift::pbf
