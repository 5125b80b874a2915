#include "spindrift/pbf/coarse_projection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include <smmintrin.h>

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

/// A node behind a wall, with less of its support free than this, sees too few particles to judge; its neighbours do.
constexpr float judging_share = 0.45f;

/// The residual at which the solve stops, relative to the right-hand side; the particles' own iterations do the rest.
constexpr double tolerance = 3e-3;
constexpr int most_iterations = 200;

/// Four floats that the compiler keeps in one register.
using Quad = float __attribute__((vector_size(16)));

/// Where a particle is in its leaf: the cell, and products of two axes' hats at the four corners of a cell's side. The
/// derivative of a hat along one axis is the product of the other two, with the sign of the corner.
struct CellPosition {
    int cell;         ///< inside the leaf, x fastest
    float x;          ///< hat of the upper node along x
    Quad yz, xz, xy;  ///< corners in the order 00, 10, 01, 11

    CellPosition(const Float4& p, Quad corner) {
        const Quad local = (_mm_load_ps(&p.x) - corner) * (1 / node_spacing);
        const __m128i limit = _mm_set1_epi32(3);
        const __m128i c = _mm_min_epi32(_mm_max_epi32(_mm_cvttps_epi32(local), _mm_setzero_si128()), limit);
        cell = (_mm_extract_epi32(c, 2) * 4 + _mm_extract_epi32(c, 1)) * 4 + _mm_extract_epi32(c, 0);
        const Quad high = local - _mm_cvtepi32_ps(c), low = 1 - high;
        x = high[0];
        const Quad xy_pairs = _mm_unpacklo_ps(low, high), z_pair = _mm_unpackhi_ps(low, high);
        const Quad x_pair = _mm_movelh_ps(xy_pairs, xy_pairs), y_pair = _mm_movehl_ps(xy_pairs, xy_pairs);
        const Quad y_rows = _mm_unpackhi_ps(xy_pairs, xy_pairs), z_rows = _mm_unpacklo_ps(z_pair, z_pair);
        yz = y_pair * z_rows;
        xz = x_pair * z_rows;
        xy = x_pair * y_rows;
    }
};

/// Sums over the particles of one cell.
struct CellSums {
    Quad momentum_x, momentum_y, momentum_z;  ///< velocities weighted with yz, xz, xy
    Quad fill[2];                             ///< weights of the four lower and four upper nodes along x
    Quad velocity;                            ///< and the number of particles
};

/// Derivatives of phi along each axis on the four edges of a cell that run that way.
struct CellGradient {
    Quad x, y, z;
};

/// The sums of three quads, and zero.
Quad sums(Quad a, Quad b, Quad c) {
    Quad zero{};
    _MM_TRANSPOSE4_PS(a, b, c, zero);
    return (a + b) + (c + zero);
}

Quad leaf_corner(const Leaf& leaf) {
    const Vec3f corner = vec_cast<float>(leaf.coord) * float{neighbors::leaf_width};
    return Quad{corner.x, corner.y, corner.z, 0};
}

/// Index of corner (i, j, l) of a cell among the 5 x 5 x 5 nodes that a leaf's particles reach.
int node_of(int cell, int i, int j, int l) {
    return ((cell / 16 + l) * 5 + cell / 4 % 4 + j) * 5 + cell % 4 + i;
}

/// int grad N_a . grad N_b over a cell, by how many axes the two corners differ on.
constexpr float element[4] = {node_spacing / 3, 0, -node_spacing / 12, -node_spacing / 12};

int neighbor_index(int dx, int dy, int dz) {
    return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}

/// Integral of the unit hat 1 - |u| from -1 to t.
float hat_integral(float t) {
    t = std::clamp(t, -1.f, 1.f);
    return t < 0 ? 0.5f * (1 + t) * (1 + t) : 1 - 0.5f * (1 - t) * (1 - t);
}

/// Share of a node's hat inside a box: exact, since hat and box are products over the axes.
float share_inside(const collision::WallBox& box, Vec3f node) {
    float share = 1;
    for (int a = 0; a < 3; ++a) {
        share *=
            hat_integral((box.hi[a] - node[a]) / node_spacing) - hat_integral((box.lo[a] - node[a]) / node_spacing);
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

void CoarseProjection::project(neighbors::LeafGrid& grid, const collision::Walls& walls, Vec3f gravity, Float4* x,
                               Float4* v, float dt_per_h) {
    make_blocks(grid.leaves());
    scatter(grid.leaves(), x, v);
    gather_nodes(walls, gravity);
    assemble();
    solve();
    correct(grid.leaves(), walls.empty() ? mean_change() : Vec3f{}, x, v, dt_per_h);
}

Vec3f CoarseProjection::mean_change() const {
    Vec3d change{};
    double fill = 0;
    for (std::size_t i = 0; i < blocks_.size() * nodes; ++i) {
        change -= vec_cast<double>(gradient_[i]) * static_cast<double>(phi_[i]);
        fill += static_cast<double>(fill_[i]);
    }
    return fill > 0 ? vec_cast<float>(change / fill) : Vec3f{};
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
        if (takes_part(leaves[leaf])) block_of_leaf_[leaf] = add(leaves[leaf].coord, static_cast<std::int32_t>(leaf));
    }
    for (const Leaf& leaf : leaves) {
        for (int k = 1; k < 8 && takes_part(leaf); ++k)
            add(leaf.coord + Vec3i{k & 1, k >> 1 & 1, k >> 2}, -1);
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

/// A leaf with fewer particles fills no node's support; spray pays nothing.
bool CoarseProjection::takes_part(const Leaf& leaf) {
    return leaf.count >= neighbors::dense_leaf;
}

void CoarseProjection::scatter(std::span<const Leaf> leaves, const Float4* x, const Float4* v) {
    leaf_sums_.resize(leaves.size() * leaf_nodes);
    cell_fill_.resize(leaves.size() * cells);
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            const Leaf& leaf = leaves[l];
            if (!takes_part(leaf)) continue;
            CellSums cell_sums[cells] = {};
            const Quad corner = leaf_corner(leaf);
            for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
                const CellPosition at(x[p], corner);
                CellSums& cell = cell_sums[at.cell];
                cell.momentum_x += v[p].x * at.yz;
                cell.momentum_y += v[p].y * at.xz;
                cell.momentum_z += v[p].z * at.xy;
                cell.fill[0] += (1 - at.x) * at.yz;
                cell.fill[1] += at.x * at.yz;
                cell.velocity += Quad{v[p].x, v[p].y, v[p].z, 1};
            }

            NodeSums* out = &leaf_sums_[l * leaf_nodes];
            std::fill(out, out + leaf_nodes, NodeSums{});
            constexpr float slope = particle_volume / node_spacing;
            for (int c = 0; c < cells; ++c) {
                const CellSums& cell = cell_sums[c];
                const float count = cell.velocity[3];
                cell_fill_[l * cells + static_cast<std::size_t>(c)] =
                    count * particle_volume / (node_spacing * node_spacing * node_spacing);
                if (count == 0) continue;
                const Vec3f mean = Vec3f{cell.velocity[0], cell.velocity[1], cell.velocity[2]} / count;
                for (int k = 0; k < 8; ++k) {
                    const int i = k & 1, j = k >> 1 & 1, m = k >> 2;
                    const float sx = i ? slope : -slope, sy = j ? slope : -slope, sz = m ? slope : -slope;
                    const int corner_index = j + 2 * m;
                    NodeSums& node = out[node_of(c, i, j, m)];
                    node.rhs += sx * cell.momentum_x[corner_index] + sy * cell.momentum_y[i + 2 * m] +
                                sz * cell.momentum_z[i + 2 * j];
                    const float fill = particle_volume * cell.fill[i][corner_index];
                    node.fill += fill;
                    node.gradient += Vec3f{sx * (cell.fill[0][corner_index] + cell.fill[1][corner_index]),
                                           sy * (cell.fill[i][2 * m] + cell.fill[i][2 * m + 1]),
                                           sz * (cell.fill[i][j] + cell.fill[i][j + 2])};
                    node.velocity += mean * fill;
                }
            }
        }
    });
}

/// Parts from the own leaf and from those below, whose fifth layer this node is; always in the same order.
CoarseProjection::NodeSums CoarseProjection::collect(const Block& block, const int at[3]) const {
    NodeSums total{};
    for (int k = 0; k < 8; ++k) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        if ((d[0] && at[0]) || (d[1] && at[1]) || (d[2] && at[2])) continue;
        const std::int32_t other = block.neighbors[neighbor_index(-d[0], -d[1], -d[2])];
        const std::int32_t leaf = other < 0 ? -1 : blocks_[static_cast<std::size_t>(other)].leaf;
        if (leaf < 0) continue;
        const int local = ((at[2] + 4 * d[2]) * 5 + at[1] + 4 * d[1]) * 5 + at[0] + 4 * d[0];
        const NodeSums& part =
            leaf_sums_[static_cast<std::size_t>(leaf) * leaf_nodes + static_cast<std::size_t>(local)];
        total.rhs += part.rhs;
        total.fill += part.fill;
        total.gradient += part.gradient;
        total.velocity += part.velocity;
    }
    return total;
}

void CoarseProjection::gather_nodes(const collision::Walls& walls, Vec3f gravity) {
    const std::size_t total = blocks_.size() * nodes;
    for (Buffer<float>* buffer : {&rhs_, &phi_, &residual_, &direction_, &product_, &active_, &available_, &fill_}) {
        buffer->resize(total);
    }
    gradient_.resize(total);
    // Beside walls gravity is what pressure has to carry and must meet the same quadrature as the matrix.
    const Vec3f carried = walls.empty() ? Vec3f{} : gravity;
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            const Vec3f corner = vec_cast<float>(blocks_[b].coord) * float{neighbors::leaf_width};
            const bool beside_wall = walls.near(corner - Vec3f{2, 2, 2}, corner + Vec3f{8, 8, 8}, 0);
            for (int n = 0; n < nodes; ++n) {
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                const NodeSums sums = collect(blocks_[b], at);
                constexpr float support = node_spacing * node_spacing * node_spacing;
                float available = 1;
                Vec3f wall_gradient{};
                if (beside_wall) {
                    // Moving the node by a little shows what the walls cut off the gradient's integral.
                    const Vec3f node = corner + Vec3f{float(at[0]), float(at[1]), float(at[2])} * node_spacing;
                    available = available_share(walls, node);
                    for (int a = 0; a < 3; ++a) {
                        constexpr float step = 0.05f;
                        Vec3f low = node, high = node;
                        low[a] -= step;
                        high[a] += step;
                        wall_gradient[a] =
                            support * (available_share(walls, low) - available_share(walls, high)) / (2 * step);
                    }
                }
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                available_[i] = available;
                active_[i] = available >= judging_share && sums.fill >= filled_share * available * support ? 1.f : 0.f;
                fill_[i] = sums.fill;
                gradient_[i] = sums.gradient;
                const Vec3f mean = sums.fill > 0 ? sums.velocity / sums.fill - carried : Vec3f{};
                rhs_[i] = sums.rhs - dot(sums.gradient - wall_gradient, mean);
            }
        }
    });
    activate_wall_nodes();
}

void CoarseProjection::activate_wall_nodes() {
    parallel_for(blocks_.size(), 16, [&](Range range) {
        for (std::size_t b : range) {
            for (int n = 0; n < nodes; ++n) {
                const std::size_t i = b * nodes + static_cast<std::size_t>(n);
                if (available_[i] < judging_share && available_[i] > 0)
                    active_[i] = follows_neighbors(b, n) ? 1.f : 0.f;
            }
        }
    });
    active_blocks_.clear();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const float* active = &active_[b * nodes];
        if (std::any_of(active, active + nodes, [](float a) { return a > 0; })) active_blocks_.push_back(b);
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i) {
            rhs_[i] *= active_[i];
            phi_[i] = direction_[i] = 0;
        }
    }
}

/// Whether most of the node's neighbours that can judge are filled.
bool CoarseProjection::follows_neighbors(std::size_t block, int node) const {
    int judges = 0, filled = 0;
    for (int k = 0; k < 27; ++k) {
        const int x = node % 4 + k % 3 - 1, y = node / 4 % 4 + k / 3 % 3 - 1, z = node / 16 + k / 9 - 1;
        const std::int32_t other = blocks_[block].neighbors[neighbor_index(x >> 2, y >> 2, z >> 2)];
        if (other < 0) continue;
        const std::size_t i =
            static_cast<std::size_t>(other) * nodes + static_cast<std::size_t>(((z & 3) * 4 + (y & 3)) * 4 + (x & 3));
        if (available_[i] < judging_share) continue;
        judges += 1;
        filled += active_[i] > 0;
    }
    return 2 * filled > judges;
}

void CoarseProjection::assemble() {
    coefficients_.resize(active_blocks_.size() * 27 * nodes);
    parallel_for(active_blocks_.size(), 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t b = active_blocks_[k];
            float* coefficient = &coefficients_[k * 27 * nodes];
            std::fill(coefficient, coefficient + 27 * nodes, 0.f);
            for (int n = 0; n < nodes; ++n) {
                if (active_[b * nodes + static_cast<std::size_t>(n)] == 0) continue;
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                for (int side = 0; side < 8; ++side) {
                    // The cell below or above the node on each axis, in its own leaf.
                    const int d[3] = {side & 1, side >> 1 & 1, side >> 2};
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
        active_blocks_.size(), 16, 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t block : range) {
                const std::size_t b = active_blocks_[block];
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
                const float* coefficient = &coefficients_[block * 27 * nodes];
                for (int k = 0; k < 27; ++k, coefficient += nodes) {
                    const float* from = halo + (k / 9 * 6 + k / 3 % 3) * 6 + k % 3;
                    for (int z = 0; z < 4; ++z) {
                        for (int y = 0; y < 4; ++y) {
                            for (int x = 0; x < 4; ++x) {
                                result[(z * 4 + y) * 4 + x] +=
                                    coefficient[(z * 4 + y) * 4 + x] * from[(z * 6 + y) * 6 + x];
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
    // Conjugate gradients with the diagonal as preconditioner, over the blocks that have liquid nodes.
    const auto for_nodes = [&](const auto& body) {
        return parallel_reduce(
            active_blocks_.size(), 16, 0.0,
            [&](Range range) {
                double total = 0;
                for (std::size_t k : range) {
                    const std::size_t first = active_blocks_[k] * nodes;
                    const float* diagonal = &coefficients_[(k * 27 + 13) * nodes];
                    float sum = 0;
                    for (std::size_t n = 0; n < nodes; ++n) {
                        const float inverse = diagonal[n] > 0 ? active_[first + n] / diagonal[n] : 0.f;
                        sum += body(first + n, inverse);
                    }
                    total += static_cast<double>(sum);
                }
                return total;
            },
            std::plus<>());
    };
    double rho = for_nodes([&](std::size_t i, float inverse_diagonal) {
        residual_[i] = rhs_[i];
        direction_[i] = inverse_diagonal * rhs_[i];
        return rhs_[i] * direction_[i];
    });
    const double goal = tolerance * tolerance * rho;
    for (int k = 0; k < most_iterations && rho > goal && rho > 0; ++k) {
        const double curvature = apply(direction_, product_);
        if (!(curvature > 0)) return;
        const auto alpha = static_cast<float>(rho / curvature);
        const double rho_next = for_nodes([&](std::size_t i, float inverse_diagonal) {
            phi_[i] += alpha * direction_[i];
            residual_[i] -= alpha * product_[i];
            return residual_[i] * residual_[i] * inverse_diagonal;
        });
        const auto beta = static_cast<float>(rho_next / rho);
        for_nodes([&](std::size_t i, float inverse_diagonal) {
            direction_[i] = inverse_diagonal * residual_[i] + beta * direction_[i];
            return 0.f;
        });
        rho = rho_next;
    }
}

void CoarseProjection::correct(std::span<Leaf> leaves, Vec3f balance, Float4* x, Float4* v, float dt_per_h) {
    const Quad shift{balance.x, balance.y, balance.z, 0};
    const Quad most = _mm_set1_ps(neighbors::largest_move);
    parallel_for(leaves.size(), 4, [&](Range range) {
        for (std::size_t l : range) {
            Leaf& leaf = leaves[l];
            if (!takes_part(leaf)) continue;
            const Block& block = blocks_[static_cast<std::size_t>(block_of_leaf_[l])];
            float phi[leaf_nodes];
            for (int n = 0; n < leaf_nodes; ++n) {
                const int at[3] = {n % 5, n / 5 % 5, n / 25};
                const std::int32_t other = block.neighbors[neighbor_index(at[0] >> 2, at[1] >> 2, at[2] >> 2)];
                phi[n] = phi_[static_cast<std::size_t>(other) * nodes +
                              static_cast<std::size_t>(((at[2] & 3) * 4 + (at[1] & 3)) * 4 + (at[0] & 3))];
            }
            CellGradient gradients[cells];
            for (int c = 0; c < cells; ++c) {
                for (int k = 0; k < 4; ++k) {
                    const int a = k & 1, b = k >> 1;
                    constexpr float slope = 1 / node_spacing;
                    gradients[c].x[k] = slope * (phi[node_of(c, 1, a, b)] - phi[node_of(c, 0, a, b)]);
                    gradients[c].y[k] = slope * (phi[node_of(c, a, 1, b)] - phi[node_of(c, a, 0, b)]);
                    gradients[c].z[k] = slope * (phi[node_of(c, a, b, 1)] - phi[node_of(c, a, b, 0)]);
                }
            }

            Quad moved{};
            const Quad corner = leaf_corner(leaf);
            for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
                const CellPosition at(x[p], corner);
                const CellGradient& g = gradients[at.cell];
                const Quad change = -sums(g.x * at.yz, g.y * at.xz, g.z * at.xy) - shift;
                const Quad move = _mm_min_ps(_mm_max_ps(change * dt_per_h, -most), most);
                moved = _mm_max_ps(moved, _mm_max_ps(move, -move));
                // The fourth lane of a velocity is no number: it is kept, not added to.
                const Quad v_p = _mm_load_ps(&v[p].x);
                _mm_store_ps(&x[p].x, _mm_load_ps(&x[p].x) + move);
                _mm_store_ps(&v[p].x, _mm_blend_ps(v_p + change, v_p, 8));
            }
            leaf.moved = std::max({moved[0], moved[1], moved[2]});
        }
    });
}

}  // namespace spindrift::pbf
