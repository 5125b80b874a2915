#include "spindrift/pbf/coarse_projection.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse_cell_kernels.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

namespace {

using neighbors::Leaf;

constexpr float node_spacing = CoarseProjection::node_spacing;
constexpr float cell_volume = node_spacing * node_spacing * node_spacing;
/// Of the coarsest class.
constexpr float particle_volume = static_cast<float>(1 / (support_ratio * support_ratio * support_ratio));

/// Solids and shells are two cells thick or more: what moves less than that into one comes out where it went in.
bool may_be_crossed(const collision::WallField& field) {
    return 0.8f * field.cell < neighbors::largest_move;
}

void keep_out_of_fields(const collision::Walls& walls, const Float4& from, Float4& to) {
    Vec3f end = to.xyz();
    collision::WallHit hit;
    for (const collision::WallField& field : walls.fields) {
        if (may_be_crossed(field) && !field.is_clear(from.xyz(), end, collision::Start::now))
            field.trace(from.xyz(), end, collision::Start::now, hit);
    }
    to = {end.x, end.y, end.z, to.w};
}

template <class LeafChange>
void add_change(LeafChange& sum, Vec3f at, Vec3f change, float mass) {
    const Vec3d x = vec_cast<double>(at), p = vec_cast<double>(change) * static_cast<double>(mass);
    const auto m = static_cast<double>(mass);
    sum.momentum += p;
    sum.angular += cross(x, p);
    sum.weighted += x * m;
    sum.mass += m;
    const double products[6] = {x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.y * x.z, x.z * x.x};
    for (int k = 0; k < 6; ++k)
        sum.products[k] += m * products[k];
}

/// Index of corner (i, j, l) of a cell among the nodes that a leaf's particles reach, one more than cells on each axis.
int node_of(int cell, int cells, int i, int j, int l) {
    const int side = cells + 1;
    return ((cell / (cells * cells) + l) * side + cell / cells % cells + j) * side + cell % cells + i;
}

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

int floor_to_int(float a) {
    const int truncated = static_cast<int>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

}  // namespace

void CoarseProjection::project(neighbors::LeafGrid& grid, const collision::Walls& walls, const Liquids& liquids,
                               Vec3f gravity, Float4* x, Float4* v, float dt_per_h, const Bodies& bodies) {
    beside_walls_ = !walls.empty();
    bodies_ = bodies;
    floating_ = bodies.coupling && walls.are_free();
    make_blocks(grid);
    scatter(grid, liquids, x, v);
    gather_nodes(walls, gravity);
    bind_slivers(walls);
    assemble();
    balance_closed_liquid();
    solve();
    if (bodies.coupling) press_bodies();
    correct(grid, walls, liquids, walls.empty() ? mean_change() : Vec3f{}, x, v, dt_per_h);
    if (floating_) keep_momentum(grid, x, v);
}

/// The velocity that takes the momentum of the whole change out again.
Vec3f CoarseProjection::mean_change() const {
    Vec3d momentum{};
    double mass = 0;
    for (std::size_t i = 0; i < blocks_.size() * nodes; ++i)
        momentum -= vec_cast<double>(gradient_[i]) * static_cast<double>(phi_[i]);
    for (const Place& place : places_)
        mass += static_cast<double>(place.mass);
    return mass > 0 ? vec_cast<float>(momentum / mass) : Vec3f{};
}

void CoarseProjection::make_blocks(const neighbors::LeafGrid& grid) {
    // Blocks that a leaf's nodes lie in; they need not hold particles.
    const std::span<const Leaf> leaves = grid.leaves();
    std::unordered_map<Vec3i, std::int32_t, CoordHash> index;
    index.reserve(2 * leaves.size());
    blocks_.clear();
    places_.assign(leaves.size(), {{}, 0, 0, -1});
    const auto add = [&](Vec3i coord) {
        const auto [at, fresh] = index.try_emplace(coord, static_cast<std::int32_t>(blocks_.size()));
        if (fresh) blocks_.push_back({coord, {}});
        return at->second;
    };
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        if (!takes_part(leaves[l])) continue;
        Place& place = places_[l];
        const float h = grid.resolutions().h[leaves[l].resolution];
        const float width = h * neighbors::leaf_width / node_spacing;
        const Vec3f corner = vec_cast<float>(leaves[l].coord) * width;
        place.origin = {floor_to_int(corner.x), floor_to_int(corner.y), floor_to_int(corner.z)};
        // Leaves of the coarsest class begin at a node, others anywhere.
        place.cells = leaves[l].resolution == 0 ? 4 : static_cast<int>(width) + 2;
        place.middle = add({(place.origin.x + 2) >> 2, (place.origin.y + 2) >> 2, (place.origin.z + 2) >> 2});
    }
    for (const Place& place : places_) {
        if (place.middle < 0) continue;
        const auto last = [&](int a) { return (place.origin[a] + place.cells) >> 2; };
        for (int z = place.origin.z >> 2; z <= last(2); ++z) {
            for (int y = place.origin.y >> 2; y <= last(1); ++y) {
                for (int x = place.origin.x >> 2; x <= last(0); ++x)
                    add({x, y, z});
            }
        }
    }
    parallel_for(blocks_.size(), 256, [&](Range range) {
        for (std::size_t b : range) {
            for (int k = 0; k < 27; ++k) {
                const auto at = index.find(blocks_[b].coord + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
                blocks_[b].neighbors[k] = at == index.end() ? -1 : at->second;
            }
        }
    });
    list_leaves();
}

/// The leaves that reach each block, in their order.
void CoarseProjection::list_leaves() {
    block_starts_.assign(blocks_.size() + 1, 0);
    const auto for_each = [&](const auto& body) {
        for (std::size_t l = 0; l < places_.size(); ++l) {
            const Place& place = places_[l];
            if (place.middle < 0) continue;
            const Block& middle = blocks_[static_cast<std::size_t>(place.middle)];
            for (int z = place.origin.z >> 2; z <= (place.origin.z + place.cells) >> 2; ++z) {
                for (int y = place.origin.y >> 2; y <= (place.origin.y + place.cells) >> 2; ++y) {
                    for (int x = place.origin.x >> 2; x <= (place.origin.x + place.cells) >> 2; ++x) {
                        const Vec3i step = Vec3i{x, y, z} - middle.coord;
                        body(l, static_cast<std::size_t>(middle.neighbors[neighbor_index(step.x, step.y, step.z)]));
                    }
                }
            }
        }
    };
    for_each([&](std::size_t, std::size_t block) { block_starts_[block + 1] += 1; });
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        block_starts_[b + 1] += block_starts_[b];
    block_leaves_.resize(block_starts_.back());
    std::vector<std::uint32_t> next(block_starts_.begin(), block_starts_.end() - 1);
    for_each([&](std::size_t l, std::size_t block) { block_leaves_[next[block]++] = static_cast<std::uint32_t>(l); });
}

std::size_t CoarseProjection::index_near(std::size_t block, Vec3i at) const {
    const std::int32_t other = blocks_[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)];
    return static_cast<std::size_t>(other) * nodes +
           static_cast<std::size_t>(((at.z & 3) * 4 + (at.y & 3)) * 4 + (at.x & 3));
}

/// A leaf with fewer particles fills no node's support; spray pays nothing.
bool CoarseProjection::takes_part(const Leaf& leaf) {
    return leaf.count >= neighbors::dense_leaf;
}

void CoarseProjection::scatter(const neighbors::LeafGrid& grid, const Liquids& liquids, const Float4* x,
                               const Float4* v) {
    const std::span<const Leaf> leaves = grid.leaves();
    leaf_sums_.resize(leaves.size() * leaf_nodes * leaf_nodes * leaf_nodes);
    cell_sums_.resize(leaves.size() * leaf_cells * leaf_cells * leaf_cells);
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            if (places_[l].middle >= 0) scatter_leaf(l, leaves[l], liquids, x, v);
        }
    });
}

void CoarseProjection::scatter_leaf(std::size_t l, const Leaf& leaf, const Liquids& liquids, const Float4* x,
                                    const Float4* v) {
    const int cells = places_[l].cells, cell_total = cells * cells * cells;
    CellSums cell_sums[leaf_cells * leaf_cells * leaf_cells];
    std::fill(cell_sums, cell_sums + cell_total, CellSums{});
    float density = 0;
    const Quad corner = corner_of(places_[l].origin, node_spacing);
    for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
        const CellPosition at(x[p], corner, cells, node_spacing);
        CellSums& cell = cell_sums[at.cell];
        cell.momentum_x += v[p].x * at.yz;
        cell.momentum_y += v[p].y * at.xz;
        cell.momentum_z += v[p].z * at.xy;
        cell.fill[0] += (1 - at.x) * at.yz;
        cell.fill[1] += at.x * at.yz;
        cell.velocity += Quad{v[p].x, v[p].y, v[p].z, 1};
        if (liquids.of) {
            cell.lightness += 1 / liquids.scales[liquids.of[p]].density;
            density += liquids.scales[liquids.of[p]].density;
        }
    }

    NodeSums* out = &leaf_sums_[l * leaf_nodes * leaf_nodes * leaf_nodes];
    float* content = &cell_sums_[l * leaf_cells * leaf_cells * leaf_cells];
    std::fill(out, out + (cells + 1) * (cells + 1) * (cells + 1), NodeSums{});
    const float h = liquids.scales[liquids.of ? liquids.of[leaf.first] : 0].h, volume = particle_volume * h * h * h;
    places_[l].mass = volume * (liquids.of ? density : static_cast<float>(leaf.count));
    const float slope = volume / node_spacing;
    for (int c = 0; c < cell_total; ++c) {
        const CellSums& cell = cell_sums[c];
        const float count = cell.velocity[3];
        content[c] = (liquids.of ? cell.lightness : count) * volume;
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

/// Adds up what the leaves that reach a block have for its nodes and cells, always in the same order.
void CoarseProjection::gather_block(std::size_t b, NodeSums* sums) {
    float content[nodes] = {};
    std::fill(sums, sums + nodes, NodeSums{});
    const Vec3i first = blocks_[b].coord * 4;
    for (std::uint32_t k = block_starts_[b]; k < block_starts_[b + 1]; ++k) {
        const std::size_t l = block_leaves_[k];
        const int cells = places_[l].cells, side = cells + 1;
        const Vec3i shift = first - places_[l].origin;
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
        mobility_[b * nodes + n] = content[n] / cell_volume;
}

void CoarseProjection::correct(neighbors::LeafGrid& grid, const collision::Walls& walls, const Liquids& liquids,
                               Vec3f balance, Float4* x, Float4* v, float dt_per_h) {
    const Quad shift{balance.x, balance.y, balance.z, 0};
    const std::span<Leaf> leaves = grid.leaves();
    leaf_changes_.assign(floating_ ? leaves.size() : 0, LeafChange{});
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            Leaf& leaf = leaves[l];
            const Place& place = places_[l];
            if (place.middle < 0) continue;
            const auto middle = static_cast<std::size_t>(place.middle);
            const Vec3i to_middle = place.origin - blocks_[middle].coord * 4;
            const int cells = place.cells, side = cells + 1;
            float phi[leaf_nodes * leaf_nodes * leaf_nodes];
            for (int n = 0; n < side * side * side; ++n)
                phi[n] = phi_[index_near(middle, to_middle + Vec3i{n % side, n / side % side, n / (side * side)})];
            CellGradient gradients[leaf_cells * leaf_cells * leaf_cells];
            find_gradients(phi, cells, gradients);
            const float h = grid.resolutions().h[leaf.resolution];
            const Quad most = all(neighbors::largest_move * h);
            const Quad fastest = all(beside_walls_ ? neighbors::largest_move * h / dt_per_h : 1e30f);
            Quad moved{};
            const Quad corner = corner_of(place.origin, node_spacing);
            const float width = h * neighbors::leaf_width;
            const Vec3f low = vec_cast<float>(leaf.coord) * width;
            const bool beside_field = std::any_of(walls.fields.begin(), walls.fields.end(), [&](const auto& field) {
                return may_be_crossed(field) &&
                       field.near(low, low + Vec3f{width, width, width}, neighbors::largest_move);
            });
            for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
                const CellPosition at(x[p], corner, cells, node_spacing);
                const CellGradient& g = gradients[at.cell];
                Quad change = -sums(g.x * at.yz, g.y * at.xz, g.z * at.xy);
                if (liquids.of) change /= liquids.scales[liquids.of[p]].density;
                // A sliver of a cell beside a wall has next to no equation: what is beyond a particle's reach is no
                // flow.
                change = clamped(change - shift, fastest);
                const Quad move = clamped(change * dt_per_h, most);
                moved = largest(moved, largest(move, -move));
                // The fourth lane of a velocity is no number: it is kept, not added to.
                const Quad v_p = load(v[p]);
                const Float4 before = x[p];
                store(x[p], load(before) + move);
                if (beside_field) keep_out_of_fields(walls, before, x[p]);
                store(v[p], with_fourth_of(v_p + change, v_p));
                if (floating_) {
                    const float density = liquids.of ? liquids.scales[liquids.of[p]].density : 1;
                    add_change(leaf_changes_[l], before.xyz(), Vec3f{change[0], change[1], change[2]},
                               density * particle_volume * h * h * h);
                }
            }
            leaf.moved = std::max({moved[0], moved[1], moved[2]}) / h;
        }
    });
}

}  // namespace spindrift::pbf
