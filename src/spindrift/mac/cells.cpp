#include "spindrift/mac/cells.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/parallel.h"

namespace spindrift::mac {

using grid::cell_index;
using grid::leaf_cells;

void Cells::count(const neighbors::LeafGrid& grid, const Float4* x, int spray) {
    view_ = grid.view();
    const std::size_t total = grid.leaves().size();
    counts_.renew(total * leaf_cells);
    crowd_.renew(total * leaf_cells);
    wet_.resize(total);
    spray_.resize(total);
    parallel_for(total, 16, [&](Range range) {
        for (std::size_t leaf : range)
            count_leaf(leaf, x);
    });
    parallel_for(total, 16, [&](Range range) {
        for (std::size_t leaf : range) {
            sum_around(view_.neighbors + 27 * leaf, crowd_.data() + leaf * leaf_cells);
            judge(leaf, spray);
        }
    });
}

void Cells::count_leaf(std::size_t leaf, const Float4* x) {
    const neighbors::Leaf& own = view_.leaves[leaf];
    std::uint16_t* out = counts_.data() + leaf * leaf_cells;
    if (own.table >= 0) {
        const std::uint32_t* table = view_.table(own);
        for (int cell = 0; cell < leaf_cells; ++cell)
            out[cell] = static_cast<std::uint16_t>(std::min(65535u, table[4 * cell + 4] - table[4 * cell]));
        return;
    }
    std::fill(out, out + leaf_cells, std::uint16_t{0});
    for (std::uint32_t p = own.first; p < own.first + own.count; ++p)
        out[cell_of(leaf, x[p].xyz())] += 1;
}

int Cells::cell_of(std::size_t leaf, Vec3f x) const {
    // As the sort does it.
    const Vec3f cells = x * (1 / view_.h[0]);
    const Vec3i corner = view_.leaves[leaf].coord * grid::leaf_width;
    const auto place = [](float at, int first) { return std::clamp(static_cast<int>(std::floor(at)) - first, 0, 7); };
    return cell_index(place(cells.x, corner.x), place(cells.y, corner.y), place(cells.z, corner.z));
}

void Cells::sum_around(const std::int32_t* near, std::uint16_t* out) const {
    std::uint16_t halo[10][10][10], by_xy[10][8][8];
    for (int z = -1; z < 9; ++z) {
        for (int y = -1; y < 9; ++y) {
            const std::int32_t* row = near + grid::neighbor_index(-1, y >> 3, z >> 3);
            const int at = cell_index(0, y & 7, z & 7);
            std::uint16_t* to = halo[z + 1][y + 1];
            const auto cells = [&](int n) { return counts(static_cast<std::size_t>(row[n])) + at; };
            to[0] = row[0] < 0 ? std::uint16_t{0} : cells(0)[7];
            for (int x = 0; x < 8; ++x)
                to[x + 1] = row[1] < 0 ? std::uint16_t{0} : cells(1)[x];
            to[9] = row[2] < 0 ? std::uint16_t{0} : cells(2)[0];
        }
    }
    for (int z = 0; z < 10; ++z) {
        std::uint16_t by_x[10][8];
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 8; ++x)
                by_x[y][x] = static_cast<std::uint16_t>(halo[z][y][x] + halo[z][y][x + 1] + halo[z][y][x + 2]);
        }
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 8; ++x)
                by_xy[z][y][x] = static_cast<std::uint16_t>(by_x[y][x] + by_x[y + 1][x] + by_x[y + 2][x]);
        }
    }
    for (int z = 0; z < 8; ++z) {
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 8; ++x)
                out[cell_index(x, y, z)] =
                    static_cast<std::uint16_t>(by_xy[z][y][x] + by_xy[z + 1][y][x] + by_xy[z + 2][y][x]);
        }
    }
}

void Cells::judge(std::size_t leaf, int spray) {
    LeafMask wet{}, alone{};
    for (int cell = 0; cell < leaf_cells; ++cell) {
        if (counts(leaf)[cell] == 0) continue;
        set(crowd(leaf)[cell] < spray ? alone : wet, cell);
    }
    wet_[leaf] = wet;
    spray_[leaf] = alone;
}

void Cells::find_starts(std::size_t leaf, std::uint32_t* out) const {
    const neighbors::Leaf& own = view_.leaves[leaf];
    const std::uint16_t* const count = counts(leaf);
    std::uint32_t at = own.first;
    for (int cell = 0; cell < grid::leaf_cells; ++cell) {
        const int row = cell / grid::leaf_width, x = cell % grid::leaf_width;
        out[cell] = own.table < 0 ? at : view_.table(own)[row * neighbors::row_steps + 4 * x];
        at += count[cell];
    }
}

}  // namespace spindrift::mac
