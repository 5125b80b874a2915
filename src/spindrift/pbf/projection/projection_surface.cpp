// Where the surface stands that the projection's pressure ends at.

#include <algorithm>

#include "spindrift/mac/surface_beside_walls.h"
#include "spindrift/pbf/projection/each_leaf.h"
#include "spindrift/pbf/projection/projection.h"

namespace spindrift::pbf {

namespace {

using grid::leaf_cells;

/// Depth of a cell's middle, in cells, that liquid of some thickness has somewhere: what is two cells from such a cell
/// is of the bulk.
constexpr float deep_enough = -0.75f;
/// Share of what is around a cell that walls leave if they pass through its middle.
constexpr float mostly_wall = 0.5f;

/// Share of a cell that walls leave from which it is whole.
constexpr float whole_share = 0.999f;

Vec3i cell_of(int cell) {
    return {cell & 7, cell >> 3 & 7, cell >> 6};
}

Vec3i beside(Vec3i cell, int axis, int step) {
    cell[axis] += step;
    return cell;
}

}  // namespace

void Projection::find_surface(const Float4* x, float dt_per_h) {
    particles_.measure(x, grid_, [&](std::size_t l) { return solids_.tent(l); });
    mac::extend_into_bodies(grid_, solids_);
    leave_out_thin_liquid();
    find_near_air();
    take_surface_back(dt_per_h);
    mac::extend_beside_walls(grid_, solids_, whole_share);
}

/// A layer thinner than about a cell is left to the density iterations: a cell that it half fills would resist as a
/// full one does, so that films would hover above walls and be dragged along by them.
void Projection::leave_out_thin_liquid() {
    const std::size_t total = grid_.leaves.size();
    std::vector<grid::LeafMask> deep(total, mac::no_cells), beside_deep(total, mac::no_cells);
    for_each_leaf(total, [&](std::size_t l) {
        const float *const phi = grid_.phi.leaf(l), *const tent = solids_.tent(l);
        for (int n = 0; n < leaf_cells; ++n) {
            // Of cells that are mostly wall the rest is soon full.
            if (phi[n] < deep_enough && (!tent || tent[n] > mostly_wall)) mac::set(deep[l], n);
        }
    });
    for_each_leaf(total, [&](std::size_t l) { beside_deep[l] = mac::dilated(mac::halo(grid_.leaves, l, deep)); });
    for_each_leaf(total, [&](std::size_t l) {
        const grid::LeafMask bulk = mac::dilated(mac::halo(grid_.leaves, l, beside_deep));
        float* const phi = grid_.phi.leaf(l);
        mac::for_each_set(mac::without(mac::all_cells, bulk), [&](int n) { phi[n] = mac::far_outside; });
    });
}

void Projection::find_near_air() {
    const std::size_t total = grid_.leaves.size();
    std::vector<grid::LeafMask> air(total, mac::all_cells);
    near_air_.resize(total);
    for_each_leaf(total, [&](std::size_t l) {
        const float* const phi = grid_.phi.leaf(l);
        air[l] = mac::no_cells;
        for (int n = 0; n < leaf_cells; ++n) {
            if (phi[n] >= 0) mac::set(air[l], n);
        }
    });
    for_each_leaf(total, [&](std::size_t l) { near_air_[l] = mac::dilated(mac::halo(grid_.leaves, l, air)); });
}

/// Particles stand where the step leads them. With the surface of that place waves lose a share of omega^2 dt / 2 per
/// second, which is a fifth of one that sloshes; with that of the beginning they lose nothing.
void Projection::take_surface_back(float dt_per_h) {
    const std::size_t total = grid_.leaves.size();
    earlier_.resize(total, mac::far_outside);
    for_each_leaf(total, [&](std::size_t l) {
        const float* const phi = grid_.phi.leaf(l);
        std::copy_n(phi, leaf_cells, earlier_.leaf(l));
        mac::for_each_set(near_air_[l], [&](int n) {
            if (phi[n] <= mac::deep_inside || phi[n] >= mac::far_outside) return;
            const Vec3i cell = cell_of(n);
            Vec3f slope{}, u{};
            for (int a = 0; a < 3; ++a) {
                const Vec3i high = beside(cell, a, 1);
                slope[a] = grid_.phi.near(grid_.leaves, l, high) - grid_.phi.near(grid_.leaves, l, beside(cell, a, -1));
                u[a] = 0.5f * (grid_.velocity[a].leaf(l)[n] + grid_.velocity[a].near(grid_.leaves, l, high));
            }
            constexpr float flat = 0.1f;
            const float steep = length(slope);
            if (steep < flat) return;
            earlier_.leaf(l)[n] =
                std::clamp(phi[n] + dt_per_h * dot(u, slope) / steep, mac::deep_inside, mac::far_outside);
        });
    });
    grid_.phi.swap(earlier_);
}

}  // namespace spindrift::pbf
