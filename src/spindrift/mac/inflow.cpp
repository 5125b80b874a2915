#include "spindrift/mac/inflow.h"

#include <algorithm>
#include <cmath>

namespace spindrift::mac {

namespace {

/// Spacings in a support radius, cubed: particles that a cube of that width holds.
constexpr float particles_in_support = 8;

/// How far behind a held particle there is liquid or a wall that the nozzle stands in, in support radii: the particle
/// is one from the nozzle at most.
constexpr float behind = 2;
/// Depth in cells from which a nozzle is under water.
constexpr float submerged = 0.5f;

Vec3i cell_at(Vec3f x) {
    return {static_cast<int>(std::floor(x.x)), static_cast<int>(std::floor(x.y)), static_cast<int>(std::floor(x.z))};
}

struct Place {
    std::int32_t leaf;
    int cell;
};

Place place_of(const grid::LeafSet& leaves, Vec3i cell) {
    return {leaves.find({cell.x >> 3, cell.y >> 3, cell.z >> 3}), grid::cell_index(cell.x & 7, cell.y & 7, cell.z & 7)};
}

/// How far a place is within liquid, 0 to 1, or 1 within walls.
float submersion(const MacGrid& grid, const collision::Walls& walls, Vec3f x) {
    if (!walls.is_free(x, 0)) return 1;
    const auto [leaf, cell] = place_of(grid.leaves, cell_at(x));
    return leaf == 0 ? 0.f : std::clamp(-grid.phi.leaf(leaf)[cell] / submerged, 0.f, 1.f);
}

}  // namespace

void list_inflow(const MacGrid& grid, const collision::Walls& walls, const HeldByNozzle& held,
                 std::vector<CellInflow>& inflow) {
    const float speed = length(held.v);
    if (speed == 0) return;
    const Vec3f back = held.v * (-held.size / speed);
    // Its volume, over the time in which it goes its support radius.
    const float flow =
        held.size * held.size * speed / particles_in_support * submersion(grid, walls, held.x + back * behind);
    if (flow == 0) return;
    const Vec3f corner = held.x + back * 0.5f - Vec3f{0.5f, 0.5f, 0.5f};
    const Vec3i low = cell_at(corner);
    const Vec3f t = corner - vec_cast<float>(low);
    for (int n = 0; n < 8; ++n) {
        const Vec3i step{n & 1, n >> 1 & 1, n >> 2};
        const auto [leaf, cell] = place_of(grid.leaves, low + step);
        if (leaf == 0) continue;
        float weight = flow;
        for (int a = 0; a < 3; ++a)
            weight *= step[a] ? t[a] : 1 - t[a];
        inflow.push_back({static_cast<std::size_t>(leaf), cell, weight});
    }
}

void add_inflow(std::span<const CellInflow> inflow, const grid::Stencil& stencil, grid::Field<float>& rhs) {
    for (const CellInflow& into : inflow) {
        if (stencil.diagonal.leaf(into.leaf)[into.cell] > 0) rhs.leaf(into.leaf)[into.cell] += into.flow;
    }
}

}  // namespace spindrift::mac
