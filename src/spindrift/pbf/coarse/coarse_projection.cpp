#include "spindrift/pbf/coarse/coarse_projection.h"

#include <algorithm>
#include <array>
#include <span>

#include "spindrift/core/exact_sum.h"
#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse/coarse_cell_kernels.h"
#include "spindrift/pbf/coarse/coarse_hats.h"
#include "spindrift/pbf/kept_out.h"

namespace spindrift::pbf {

namespace {

using neighbors::Leaf;

constexpr float node_spacing = CoarseBlocks::node_spacing;
constexpr int nodes = CoarseBlocks::nodes, leaf_cells = CoarseBlocks::leaf_cells, leaf_nodes = CoarseBlocks::leaf_nodes;

void find_gradients(const float* phi, int cells, CellGradient* gradients) {
    constexpr float slope = 1 / node_spacing;
    for (int c = 0; c < cells * cells * cells; ++c) {
        for (int k = 0; k < 4; ++k) {
            const int a = k & 1, b = k >> 1;
            const auto node = [&](int i, int j, int m) { return phi[node_of(c, cells, i, j, m)]; };
            gradients[c].x[k] = slope * (node(1, a, b) - node(0, a, b));
            gradients[c].y[k] = slope * (node(a, 1, b) - node(a, 0, b));
            gradients[c].z[k] = slope * (node(a, b, 1) - node(a, b, 0));
        }
    }
}

}  // namespace

int CoarseProjection::project(neighbors::LeafGrid& grid, const collision::Walls& walls,
                              const fluid::PerParticle& density, Vec3f gravity, Float4* x, Float4* v, float dt_per_h,
                              const Bodies& bodies) {
    bodies_.begin(bodies);
    blocks_.make(grid);
    scatter_.scatter(blocks_, grid, density, x, v);
    walls_.find(blocks_, walls);
    gather_nodes(walls, gravity);
    slivers_.bind(around(walls), liquid_);
    system_.assemble(blocks_, liquid_);
    const int iterations = system_.solve(blocks_, liquid_, slivers_, bodies_);
    if (bodies_.any()) bodies_.press(system_.phi());
    const bool floating = bodies_.any() && walls.are_free();
    correct({grid, walls, density, x, v, dt_per_h, walls.empty() ? mean_change() : Vec3f{}, floating});
    if (floating) bodies_.keep_momentum(leaf_changes_, blocks_, grid, x, v);
    return iterations;
}

/// The velocity that takes the momentum of the whole change out again.
Vec3f CoarseProjection::mean_change() const {
    const auto [x, y, z] = exact_sums<3>(blocks_.size(), 64, [&](std::size_t block) {
        Vec3d sum{};
        for (std::size_t i = block * nodes; i < (block + 1) * nodes; ++i)
            sum -= vec_cast<double>(liquid_.gradient[i]) * static_cast<double>(system_.phi()[i]);
        return std::array{sum.x, sum.y, sum.z};
    });
    const double mass = exact_sum(blocks_.places.size(), 256,
                                  [&](std::size_t leaf) { return static_cast<double>(blocks_.places[leaf].mass); });
    return mass > 0 ? vec_cast<float>(Vec3d{x, y, z} / mass) : Vec3f{};
}

/// What particles and walls make of each node: whether it is liquid, and its right-hand side.
void CoarseProjection::gather_nodes(const collision::Walls& walls, Vec3f gravity) {
    liquid_.resize(blocks_.node_count());
    system_.resize(blocks_.node_count());
    // Beside walls gravity is what pressure has to carry and must meet the same quadrature as the matrix.
    const Vec3f carried = walls.empty() ? Vec3f{} : gravity;
    constexpr std::size_t chunk = 16;
    std::vector<std::vector<CoarseBodies::Node>> found(bodies_.any() ? (blocks_.size() + chunk - 1) / chunk : 0);
    parallel_for(blocks_.size(), chunk, [&](Range range) {
        for (std::size_t b : range)
            gather_block(around(walls), b, carried, bodies_.any() ? &found[range.first / chunk] : nullptr);
    });
    liquid_.follow_walls(around(walls), gravity);
    bodies_.keep_active(found, liquid_.active);
}

/// Bodies at the block's nodes are added to `found`, if there are any.
void CoarseProjection::gather_block(const CoarseSurroundings& around, std::size_t block, Vec3f carried,
                                    std::vector<CoarseBodies::Node>* found) {
    constexpr float support = CoarseBlocks::cell_volume;
    CoarseScatter::NodeSums block_sums[nodes];
    scatter_.gather(blocks_, block, block_sums, &liquid_.mobility[block * nodes]);
    const CoarseWalls::Block* const beside = walls_.beside(block);
    for (int n = 0; n < nodes; ++n) {
        const CoarseScatter::NodeSums& sums = block_sums[n];
        CoarseWalls::AtNode at = beside ? beside->at[static_cast<std::size_t>(n)] : CoarseWalls::AtNode{};
        const Vec3f node = blocks_.position_of(block, n);
        const Vec3f middle = beside ? middle_of(sums.gradient, sums.fill, node) : node;
        const collision::WallField* const hiding =
            at.near_field && sums.fill > 0 ? find_hiding(around.walls, node, middle) : nullptr;
        const std::size_t i = block * nodes + static_cast<std::size_t>(n);
        liquid_.available[i] = at.available;
        liquid_.near_field[i] = at.near_field;
        liquid_.behind[i] = hiding != nullptr;
        const bool filled = at.available >= judging_share && sums.fill >= filled_share * at.available * support;
        liquid_.active[i] = filled ? 1.f : 0.f;
        liquid_.fill[i] = sums.fill;
        liquid_.gradient[i] = sums.gradient;
        const Vec3f mean = sums.fill > 0 ? sums.velocity / sums.fill - carried : Vec3f{};
        const bool behind_body = hiding && hiding->body >= 0;
        if (found && beside && !beside->terms.empty())
            bodies_.note(around, {block, n, middle, behind_body ? hiding : nullptr}, at, *found);
        // Behind a thin wall the particles' own gradient is all that is known of the wall.
        system_.rhs()[i] = hiding && !behind_body
                               ? sums.rhs - dot(sums.gradient, hiding->velocity_at(node))
                               : sums.rhs - dot(sums.gradient - at.gradient * support, mean) - at.flow * support;
    }
}

void CoarseProjection::correct(const Particles& particles) {
    const std::size_t leaves = particles.grid.leaves().size();
    leaf_changes_.assign(particles.floating ? leaves : 0, LeafChange{});
    parallel_for(leaves, 4, [&](Range range) {
        for (std::size_t l : range) {
            if (blocks_.places[l].middle >= 0) correct_leaf(particles, l);
        }
    });
}

void CoarseProjection::correct_leaf(const Particles& particles, std::size_t l) {
    const auto& [grid, walls, density, x, v, dt_per_h, balance, floating] = particles;
    Leaf& leaf = grid.leaves()[l];
    const CoarseBlocks::Place& place = blocks_.places[l];
    const auto middle = static_cast<std::size_t>(place.middle);
    const Vec3i to_middle = place.origin - blocks_.blocks[middle].coord * 4;
    const int cells = place.cells, side = cells + 1;
    float phi[leaf_nodes * leaf_nodes * leaf_nodes] = {};
    for (int n = 0; n < side * side * side; ++n) {
        const Vec3i at = to_middle + Vec3i{n % side, n / side % side, n / (side * side)};
        phi[n] = system_.phi()[blocks_.index_near(middle, at)];
    }
    CellGradient gradients[leaf_cells * leaf_cells * leaf_cells];
    find_gradients(phi, cells, gradients);
    const float h = grid.resolutions().h[leaf.resolution];
    const bool beside_field = is_beside_field(walls, leaf, h * neighbors::leaf_width);
    const Quad shift{balance.x, balance.y, balance.z, 0}, most = all(neighbors::largest_move * h);
    const Quad fastest = all(walls.empty() ? 1e30f : neighbors::largest_move * h / dt_per_h);
    const Quad corner = corner_of(place.origin, node_spacing);
    Quad moved{};
    for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
        const CellPosition at(x[p], corner, cells, node_spacing);
        const CellGradient& g = gradients[at.cell];
        Quad change = -sums(g.x * at.yz, g.y * at.xz, g.z * at.xy);
        if (density.each) change /= density.each[p];
        // A sliver of a cell beside a wall has next to no equation: what is beyond a particle's reach is no flow.
        change = clamped(change - shift, fastest);
        const Quad move = clamped(change * dt_per_h, most);
        moved = largest(moved, largest(move, -move));
        // The fourth lane of a velocity is no number: it is kept, not added to.
        const Quad v_p = load(v[p]);
        const Float4 before = x[p];
        store(x[p], load(before) + move);
        if (beside_field) keep_out_of_fields(walls, before, x[p]);
        store(v[p], with_fourth_of(v_p + change, v_p));
        if (floating) {
            leaf_changes_[l].add(before.xyz(), Vec3f{change[0], change[1], change[2]},
                                 density[p] * particle_volume * h * h * h);
        }
    }
    leaf.moved = std::max({moved[0], moved[1], moved[2]}) / h;
}

}  // namespace spindrift::pbf
