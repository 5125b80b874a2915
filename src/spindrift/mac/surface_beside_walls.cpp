#include "spindrift/mac/surface_beside_walls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "spindrift/core/parallel.h"
#include "spindrift/mac/grid_kernels.h"

namespace spindrift::mac {

namespace {

/// Share of a cell that walls leave from which it is whole.
constexpr float whole_share = 0.999f;
/// By which a cell has more room than another that walls cut more.
constexpr float more_room = 0.05f;

/// Of a cell that nothing is known around.
constexpr float unreached = 100;

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

/// Cells that bodies have most of, by leaf.
std::vector<LeafMask> filled_by_bodies(const MacGrid& grid, const Solids& solids) {
    constexpr float most = 0.5f;
    const std::size_t total = grid.leaves.size();
    std::vector<std::vector<float>> shares(total);
    const auto add = [&](std::size_t leaf, int cell, float share) {
        if (leaf == 0) return;
        if (shares[leaf].empty()) shares[leaf].assign(grid::leaf_cells, 0.f);
        shares[leaf][static_cast<std::size_t>(cell)] += share / 6;
    };
    for (std::size_t l = 1; l < total; ++l) {
        for (const DisplacedFace& face : solids.displaced(l)) {
            add(l, face.cell, face.share);
            Vec3i low{face.cell & 7, face.cell >> 3 & 7, face.cell >> 6};
            low[face.axis] -= 1;
            const std::int32_t other =
                grid.leaves.neighbors(l)[grid::neighbor_index(low.x >> 3, low.y >> 3, low.z >> 3)];
            add(static_cast<std::size_t>(other), grid::cell_index(low.x & 7, low.y & 7, low.z & 7), face.share);
        }
    }
    std::vector<LeafMask> filled(total, no_cells);
    for (std::size_t l = 1; l < total; ++l) {
        for (int n = 0; n < grid::leaf_cells && !shares[l].empty(); ++n) {
            if (shares[l][static_cast<std::size_t>(n)] > most) set(filled[l], n);
        }
    }
    return filled;
}

/// Mean distance of those cells across the faces of one that are not in `unknown`; 100 if there are none.
float mean_of_known(const MacGrid& grid, const std::vector<LeafMask>& unknown, std::size_t leaf, int cell) {
    float sum = 0;
    int count = 0;
    for (int side = 0; side < 6; ++side) {
        Vec3i c{cell & 7, cell >> 3 & 7, cell >> 6};
        c[side / 2] += side % 2 ? 1 : -1;
        const auto other =
            static_cast<std::size_t>(grid.leaves.neighbors(leaf)[grid::neighbor_index(c.x >> 3, c.y >> 3, c.z >> 3)]);
        const int place = grid::cell_index(c.x & 7, c.y & 7, c.z & 7);
        if (other == 0 || is_set(unknown[other], place)) continue;
        sum += std::min(grid.phi.leaf(other)[place], far_outside);
        ++count;
    }
    return count > 0 ? sum / static_cast<float>(count) : unreached;
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

void extend_into_bodies(MacGrid& grid, const Solids& solids) {
    if (!solids.displaces()) return;
    std::vector<LeafMask> unknown = filled_by_bodies(grid, solids);
    std::vector<std::pair<std::size_t, Lowered>> found;
    // What is deeper in a body no liquid reaches.
    for (int layer = 0; layer < 2; ++layer) {
        found.clear();
        for (std::size_t l = 1; l < unknown.size(); ++l) {
            for_each_set(unknown[l], [&](int n) {
                const float phi = mean_of_known(grid, unknown, l, n);
                if (phi < unreached) found.push_back({l, {n, phi}});
            });
        }
        for (const auto& [leaf, each] : found) {
            grid.phi.leaf(leaf)[each.cell] = each.phi;
            unknown[leaf][static_cast<std::size_t>(each.cell >> 6)] &= ~(std::uint64_t{1} << (each.cell & 63));
        }
    }
}

}  // namespace spindrift::mac
