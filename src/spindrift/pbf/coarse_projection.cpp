#include "spindrift/pbf/coarse_projection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/prototype.h"

namespace spindrift::pbf {

namespace {

using neighbors::Leaf;

constexpr float node_spacing = 2;  ///< in support radii
constexpr int cells = 64;          ///< per leaf, of node_spacing edge
constexpr float particle_volume = static_cast<float>(1 / (support_ratio * support_ratio * support_ratio));

/// A node belongs to the liquid when this share of what walls leave of its support is filled: phi must vanish on the
/// free surface, or the surface moves as if under a lid. docs/decisions/0004.
constexpr float filled_share = 0.92f;

/// The residual at which the solve stops, relative to the right-hand side; the particles' own iterations do the rest.
constexpr double tolerance = 3e-3;
constexpr int most_iterations = 200;

/// Trilinear weights and their derivatives in the cell of a position.
struct CellWeights {
    int cell[3];        ///< inside the leaf, 0 to 3
    float w[3][2];      ///< hat values at the lower and upper node of each axis

    CellWeights(const Float4& p, Vec3i leaf) {
        const float position[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a) {
            const float local = (position[a] - static_cast<float>(leaf[a] * neighbors::leaf_width)) / node_spacing;
            cell[a] = std::clamp(static_cast<int>(local), 0, 3);
            w[a][1] = local - static_cast<float>(cell[a]);
            w[a][0] = 1 - w[a][1];
        }
    }
    int first_node() const { return (cell[2] * 5 + cell[1]) * 5 + cell[0]; }
    int cell_index() const { return (cell[2] * 4 + cell[1]) * 4 + cell[0]; }
};

constexpr int corner_offset[8] = {0, 1, 5, 6, 25, 26, 30, 31};

/// Gradient of the hat of corner k (x fastest).
Vec3f corner_gradient(const CellWeights& c, int k) {
    const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
    constexpr float slope = 1 / node_spacing;
    return {(i ? slope : -slope) * c.w[1][j] * c.w[2][l], (j ? slope : -slope) * c.w[0][i] * c.w[2][l],
            (l ? slope : -slope) * c.w[0][i] * c.w[1][j]};
}

/// int grad N_a . grad N_b over a cell, by how many axes the two corners differ on.
constexpr float element[4] = {node_spacing / 3, 0, -node_spacing / 12, -node_spacing / 12};

int neighbor_index(int dx, int dy, int dz) { return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; }

/// Integral of the unit hat 1 - |u| from -1 to t.
float hat_integral(float t) {
    t = std::clamp(t, -1.f, 1.f);
    return t < 0 ? 0.5f * (1 + t) * (1 + t) : 1 - 0.5f * (1 - t) * (1 - t);
}

/// Share of a node's hat inside a box: exact, since hat and box are products over the axes.
float share_inside(const collision::WallBox& box, Vec3f node) {
    float share = 1;
    for (int a = 0; a < 3; ++a) {
        share *= hat_integral((box.hi[a] - node[a]) / node_spacing) - hat_integral((box.lo[a] - node[a]) / node_spacing);
    }
    return share;
}

/// Share of a node's hat that walls leave free; close for oblique planes and where walls overlap.
float available_share(const collision::Walls& walls, Vec3f node) {
    float share = 1;
    for (const collision::WallBox& box : walls.boxes) {
        share *= box.solid ? 1 - share_inside(box, node) : share_inside(box, node);
    }
    for (const collision::WallPlane& plane : walls.planes) {
        const Vec3f n{plane.normal[0], plane.normal[1], plane.normal[2]};
        share *= hat_integral((dot(n, node) - plane.offset) / node_spacing);
    }
    return share;
}

}  // namespace

float CoarseProjection::project(const neighbors::LeafGrid& grid, const collision::Walls& walls, Float4* x, Float4* v,
                                float dt_per_h) {
    make_blocks(grid.leaves());
    scatter(grid.leaves(), x, v);
    gather_nodes(walls);
    assemble();
    solve();
    return correct(grid.leaves(), x, v, dt_per_h);
}

void CoarseProjection::make_blocks(std::span<const Leaf> leaves) {
    // A leaf's particles reach nodes of the seven next blocks, which need not hold particles.
    struct CoordHash {
        std::size_t operator()(const Vec3i& c) const {
            return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
                   static_cast<std::size_t>(c.z) * 83492791u;
        }
    };
    std::unordered_map<Vec3i, std::int32_t, CoordHash> index;
    index.reserve(2 * leaves.size());
    blocks_.clear();
    block_of_leaf_.resize(leaves.size());
    const auto add = [&](Vec3i coord, std::int32_t leaf) {
        const auto [at, fresh] = index.try_emplace(coord, static_cast<std::int32_t>(blocks_.size()));
        if (fresh) blocks_.push_back({coord, -1, {}});
        if (leaf >= 0) blocks_[static_cast<std::size_t>(at->second)].leaf = leaf;
        return at->second;
    };
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        block_of_leaf_[leaf] = add(leaves[leaf].coord, static_cast<std::int32_t>(leaf));
    }
    for (const Leaf& leaf : leaves) {
        for (int k = 1; k < 8; ++k) add(leaf.coord + Vec3i{k & 1, k >> 1 & 1, k >> 2}, -1);
    }
    parallel_for(blocks_.size(), 256, [&](Range range) {
        for (std::size_t b : range) {
            for (int k = 0; k < 27; ++k) {
                const auto at = index.find(blocks_[b].coord + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
                blocks_[b].neighbors[k] = at == index.end() ? -1 : at->second;
            }
        }
    });
}

void CoarseProjection::scatter(std::span<const Leaf> leaves, const Float4* x, const Float4* v) {
    leaf_rhs_.resize(leaves.size() * leaf_nodes);
    leaf_fill_.resize(leaves.size() * leaf_nodes);
    cell_fill_.resize(leaves.size() * cells);
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            float* rhs = &leaf_rhs_[l * leaf_nodes];
            float* fill = &leaf_fill_[l * leaf_nodes];
            float* cell = &cell_fill_[l * cells];
            std::fill(rhs, rhs + leaf_nodes, 0.f);
            std::fill(fill, fill + leaf_nodes, 0.f);
            std::fill(cell, cell + cells, 0.f);
            for (std::uint32_t p = leaves[l].first; p < leaves[l].first + leaves[l].count; ++p) {
                const CellWeights c(x[p], leaves[l].coord);
                const Vec3f v_p = v[p].xyz() * particle_volume;
                const int node = c.first_node();
                cell[c.cell_index()] += particle_volume / (node_spacing * node_spacing * node_spacing);
                for (int k = 0; k < 8; ++k) {
                    rhs[node + corner_offset[k]] += dot(corner_gradient(c, k), v_p);
                    fill[node + corner_offset[k]] += particle_volume * c.w[0][k & 1] * c.w[1][k >> 1 & 1] * c.w[2][k >> 2];
                }
            }
        }
    });
}

void CoarseProjection::gather_nodes(const collision::Walls& walls) {
    const std::size_t total = blocks_.size() * nodes;
    for (Buffer<float>* buffer : {&rhs_, &phi_, &residual_, &direction_, &product_, &active_}) buffer->resize(total);
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            const Block& block = blocks_[b];
            const Vec3f corner = vec_cast<float>(block.coord) * float{neighbors::leaf_width};
            const bool beside_wall = walls.near(corner - Vec3f{2, 2, 2}, corner + Vec3f{8, 8, 8}, 0);
            for (int n = 0; n < nodes; ++n) {
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                // Parts from the own leaf and from those below, whose fifth layer this node is; always in this order.
                float rhs = 0, fill = 0;
                for (int k = 0; k < 8; ++k) {
                    const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
                    if ((d[0] && at[0]) || (d[1] && at[1]) || (d[2] && at[2])) continue;
                    const std::int32_t other = block.neighbors[neighbor_index(-d[0], -d[1], -d[2])];
                    const std::int32_t leaf = other < 0 ? -1 : blocks_[static_cast<std::size_t>(other)].leaf;
                    if (leaf < 0) continue;
                    const int local = ((at[2] + 4 * d[2]) * 5 + at[1] + 4 * d[1]) * 5 + at[0] + 4 * d[0];
                    rhs += leaf_rhs_[static_cast<std::size_t>(leaf) * leaf_nodes + static_cast<std::size_t>(local)];
                    fill += leaf_fill_[static_cast<std::size_t>(leaf) * leaf_nodes + static_cast<std::size_t>(local)];
                }
                constexpr float support = node_spacing * node_spacing * node_spacing;
                float available = 1;
                if (beside_wall && fill > 0) {
                    const Vec3f node = corner + Vec3f{float(at[0]), float(at[1]), float(at[2])} * node_spacing;
                    available = available_share(walls, node);
                }
                const bool active = fill > 0.02f * support && fill >= filled_share * available * support;
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                active_[i] = active ? 1.f : 0.f;
                rhs_[i] = active ? rhs : 0.f;
            }
        }
    });
}

void CoarseProjection::assemble() {
    coefficients_.resize(blocks_.size() * 27 * nodes);
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            float* coefficient = &coefficients_[b * 27 * nodes];
            std::fill(coefficient, coefficient + 27 * nodes, 0.f);
            for (int n = 0; n < nodes; ++n) {
                if (active_[b * nodes + static_cast<std::size_t>(n)] == 0) continue;
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                for (int k = 0; k < 8; ++k) {
                    // The cell below or above the node on each axis, in its own leaf.
                    const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
                    int c[3], step[3];
                    for (int a = 0; a < 3; ++a) {
                        c[a] = at[a] - d[a];
                        step[a] = c[a] < 0 ? -1 : 0;
                        c[a] &= 3;
                    }
                    const std::int32_t other = blocks_[b].neighbors[neighbor_index(step[0], step[1], step[2])];
                    const std::int32_t leaf = other < 0 ? -1 : blocks_[static_cast<std::size_t>(other)].leaf;
                    if (leaf < 0) continue;
                    const float fill = cell_fill_[static_cast<std::size_t>(leaf) * cells +
                                                  static_cast<std::size_t>((c[2] * 4 + c[1]) * 4 + c[0])];
                    for (int m = 0; m < 8; ++m) {
                        const int e[3] = {m & 1, m >> 1 & 1, m >> 2};
                        const int apart = (e[0] != d[0]) + (e[1] != d[1]) + (e[2] != d[2]);
                        coefficient[neighbor_index(e[0] - d[0], e[1] - d[1], e[2] - d[2]) * nodes + n] +=
                            fill * element[apart];
                    }
                }
            }
        }
    });
}

double CoarseProjection::apply(const Buffer<float>& in, Buffer<float>& out) {
    return parallel_reduce(
        blocks_.size(), 16, 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t b : range) {
                // The block's nodes and one layer around them.
                float halo[216];
                for (int z = -1; z < 5; ++z) {
                    for (int y = -1; y < 5; ++y) {
                        for (int x = -1; x < 5; ++x) {
                            const std::int32_t other = blocks_[b].neighbors[neighbor_index(x >> 2, y >> 2, z >> 2)];
                            halo[((z + 1) * 6 + y + 1) * 6 + x + 1] =
                                other < 0 ? 0.f
                                          : in[static_cast<std::size_t>(other) * nodes +
                                               static_cast<std::size_t>(((z & 3) * 4 + (y & 3)) * 4 + (x & 3))];
                        }
                    }
                }
                float result[nodes] = {};
                const float* coefficient = &coefficients_[b * 27 * nodes];
                for (int k = 0; k < 27; ++k, coefficient += nodes) {
                    const float* from = halo + (k / 9 * 6 + k / 3 % 3) * 6 + k % 3;
                    for (int z = 0; z < 4; ++z) {
                        for (int y = 0; y < 4; ++y) {
                            for (int x = 0; x < 4; ++x) {
                                result[(z * 4 + y) * 4 + x] += coefficient[(z * 4 + y) * 4 + x] * from[(z * 6 + y) * 6 + x];
                            }
                        }
                    }
                }
                float dot_product = 0;
                for (int n = 0; n < nodes; ++n) {
                    const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                    out[i] = result[n] * active_[i];
                    dot_product += out[i] * in[i];
                }
                sum += dot_product;
            }
            return sum;
        },
        std::plus<>());
}

void CoarseProjection::solve() {
    // Conjugate gradients with the diagonal as preconditioner.
    const std::size_t total = blocks_.size() * nodes;
    const auto inverse_diagonal = [&](std::size_t i) {
        const float diagonal = coefficients_[(i / nodes * 27 + 13) * nodes + i % nodes];
        return diagonal > 0 ? active_[i] / diagonal : 0.f;
    };
    constexpr std::size_t chunk = 1024;
    const auto sum = [&](const auto& body) {
        return parallel_reduce(
            total, chunk, 0.0,
            [&](Range range) {
                double s = 0;
                for (std::size_t i : range) s += static_cast<double>(body(i));
                return s;
            },
            std::plus<>());
    };
    double rho = sum([&](std::size_t i) {
        phi_[i] = 0;
        residual_[i] = rhs_[i];
        direction_[i] = inverse_diagonal(i) * rhs_[i];
        return rhs_[i] * direction_[i];
    });
    const double goal = tolerance * tolerance * rho;
    for (iterations_ = 0; iterations_ < most_iterations && rho > goal && rho > 0; ++iterations_) {
        const double curvature = apply(direction_, product_);
        if (!(curvature > 0)) return;
        const auto alpha = static_cast<float>(rho / curvature);
        const double rho_next = sum([&](std::size_t i) {
            phi_[i] += alpha * direction_[i];
            residual_[i] -= alpha * product_[i];
            return residual_[i] * residual_[i] * inverse_diagonal(i);
        });
        const auto beta = static_cast<float>(rho_next / rho);
        parallel_for(total, chunk, [&](Range range) {
            for (std::size_t i : range) direction_[i] = inverse_diagonal(i) * residual_[i] + beta * direction_[i];
        });
        rho = rho_next;
    }
}

float CoarseProjection::correct(std::span<const Leaf> leaves, Float4* x, Float4* v, float dt_per_h) {
    return parallel_reduce(
        leaves.size(), 4, 0.f,
        [&](Range range) {
            float largest = 0;
            for (std::size_t l : range) {
                const Block& block = blocks_[static_cast<std::size_t>(block_of_leaf_[l])];
                float phi[leaf_nodes];
                for (int n = 0; n < leaf_nodes; ++n) {
                    const int at[3] = {n % 5, n / 5 % 5, n / 25};
                    const std::int32_t other = block.neighbors[neighbor_index(at[0] >> 2, at[1] >> 2, at[2] >> 2)];
                    phi[n] = phi_[static_cast<std::size_t>(other) * nodes +
                                  static_cast<std::size_t>(((at[2] & 3) * 4 + (at[1] & 3)) * 4 + (at[0] & 3))];
                }
                for (std::uint32_t p = leaves[l].first; p < leaves[l].first + leaves[l].count; ++p) {
                    const CellWeights c(x[p], leaves[l].coord);
                    Vec3f change{};
                    for (int k = 0; k < 8; ++k) {
                        change -= corner_gradient(c, k) * phi[c.first_node() + corner_offset[k]];
                    }
                    Vec3f move = change * dt_per_h;
                    move = max(min(move, Vec3f{largest_move, largest_move, largest_move}),
                               Vec3f{-largest_move, -largest_move, -largest_move});
                    largest = std::max({largest, std::abs(move.x), std::abs(move.y), std::abs(move.z)});
                    x[p] = {x[p].x + move.x, x[p].y + move.y, x[p].z + move.z, 0};
                    v[p] = {v[p].x + change.x, v[p].y + change.y, v[p].z + change.z, v[p].w};
                }
            }
            return largest;
        },
        [](float a, float b) { return std::max(a, b); });
}

}  // namespace spindrift::pbf
