#include "spindrift/mac/surface_beside_walls.h"

#include <algorithm>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::mac {

namespace {

/// Share of a cell that walls leave from which it is whole.
constexpr float whole_share = 0.999f;
/// By which a cell has more room than another that walls cut more.
constexpr float more_room = 0.05f;

struct Lowered {
    int cell;
    float phi;
};

float room(const Solids& solids, std::size_t leaf, int cell) {
    const float* const share = solids.share(leaf);
    return share ? share[cell] : 1.f;
}

/// Mean distance of the cells across the open faces of one that are whole, or else of those that have more room; far
/// outside if there is none. What is behind a thin wall says nothing of this side.
float beside_wall(const MacGrid& grid, const Solids& solids, std::size_t leaf, int cell) {
    const float more = room(solids, leaf, cell) + more_room;
    float whole = 0, wholes = 0, wider = 0, weight = 0;
    for (int side = 0; side < 6; ++side) {
        Vec3i c{cell & 7, cell >> 3 & 7, cell >> 6};
        if (!is_open(grid, leaf, cell, side)) continue;
        c[side / 2] += side % 2 ? 1 : -1;
        const auto other =
            static_cast<std::size_t>(grid.leaves.neighbors(leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)]);
        if (other == 0) continue;
        const int place = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
        const float share = room(solids, other, place), phi = grid.phi.leaf(other)[place];
        if (share > whole_share) {
            whole += phi;
            wholes += 1;
        } else if (share > more) {
            wider += share * phi;
            weight += share;
        }
    }
    if (wholes > 0) return whole / wholes;
    return weight > 0 ? wider / weight : far_outside;
}

void extend_once(MacGrid& grid, const Solids& solids, float narrow) {
    // A wall that moves away leaves a gap behind that is one, until liquid has come there. All are read before any is
    // written.
    std::vector<std::vector<Lowered>> lowered(grid.leaves.size());
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (const std::size_t k : range) {
            for_each_set(without(solids.cut(k + 1), solids.moved(k + 1)), [&](int n) {
                if (room(solids, k + 1, n) < narrow) lowered[k + 1].push_back({n, beside_wall(grid, solids, k + 1, n)});
            });
        }
    });
    parallel_for(grid.leaves.size() - 1, 16, [&](Range range) {
        for (const std::size_t k : range) {
            float* const phi = grid.phi.leaf(k + 1);
            for (const Lowered& each : lowered[k + 1])
                phi[each.cell] = std::min(phi[each.cell], each.phi);
        }
    });
}

}  // namespace

bool is_open(const MacGrid& grid, std::size_t leaf, int cell, int side) {
    Vec3i face{cell & 7, cell >> 3 & 7, cell >> 6};
    face[side / 2] += side % 2;
    return grid.open[side / 2].near(grid.leaves, leaf, face) > 0;
}

void extend_beside_walls(MacGrid& grid, const Solids& solids, float narrow) {
    // Where walls slant the cell beside one that is cut may be cut as well.
    extend_once(grid, solids, narrow);
    extend_once(grid, solids, narrow);
}

}  // namespace spindrift::mac
