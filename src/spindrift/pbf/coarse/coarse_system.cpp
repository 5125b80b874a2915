#include "spindrift/pbf/coarse/coarse_system.h"

#include <algorithm>
#include <array>

#include "spindrift/core/exact_sum.h"
#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

namespace {

constexpr int nodes = CoarseBlocks::nodes;

/// The residual at which the solve stops, relative to the right-hand side; the particles' own iterations do the rest.
constexpr double tolerance = 3e-3;
constexpr int most_iterations = 200;

/// A task shorter than this costs more to hand out than to do.
constexpr std::size_t blocks_per_task = 32;

/// int grad N_a . grad N_b over a cell, by how many axes the two corners differ on.
constexpr float element[4] = {CoarseBlocks::node_spacing / 3, 0, -CoarseBlocks::node_spacing / 12,
                              -CoarseBlocks::node_spacing / 12};

}  // namespace

void CoarseSystem::resize(std::size_t node_count) {
    for (Buffer<float>* buffer : {&rhs_, &phi_, &residual_, &direction_, &product_})
        buffer->resize(node_count);
}

void CoarseSystem::keep_active(const CoarseBlocks& blocks, const CoarseLiquid& liquid) {
    for (std::size_t i = 0; i < blocks.node_count(); ++i) {
        rhs_[i] *= liquid.active[i];
        phi_[i] = direction_[i] = 0;
    }
}

void CoarseSystem::assemble(const CoarseBlocks& blocks, const CoarseLiquid& liquid) {
    keep_active(blocks, liquid);
    coefficients_.resize(liquid.active_blocks.size() * 27 * nodes);
    parallel_for(liquid.active_blocks.size(), 16, [&](Range range) {
        for (std::size_t k : range) {
            const std::size_t b = liquid.active_blocks[k];
            float* coefficient = &coefficients_[k * 27 * nodes];
            std::fill(coefficient, coefficient + 27 * nodes, 0.f);
            for (int n = 0; n < nodes; ++n) {
                if (liquid.active[b * nodes + static_cast<std::size_t>(n)] == 0) continue;
                const int at[3] = {n % 4, n / 4 % 4, n / 16};
                for (int side = 0; side < 8; ++side) {
                    // The cell below or above the node on each axis.
                    const int d[3] = {side & 1, side >> 1 & 1, side >> 2};
                    const Vec3i cell{at[0] - d[0], at[1] - d[1], at[2] - d[2]};
                    if (!blocks.has(b, cell)) continue;
                    const float mobility = liquid.mobility[blocks.index_near(b, cell)];
                    for (int m = 0; m < 8; ++m) {
                        const int e[3] = {m & 1, m >> 1 & 1, m >> 2};
                        const int apart = (e[0] != d[0]) + (e[1] != d[1]) + (e[2] != d[2]);
                        coefficient[CoarseBlocks::neighbor_index(e[0] - d[0], e[1] - d[1], e[2] - d[2]) * nodes + n] +=
                            mobility * element[apart];
                    }
                }
            }
        }
    });
}

/// Whether all neighbours of the liquid nodes of an active block are liquid, too.
bool CoarseSystem::is_closed(const CoarseBlocks& blocks, const CoarseLiquid& liquid, std::size_t active_block) const {
    const std::size_t b = liquid.active_blocks[active_block];
    const float* coefficient = &coefficients_[active_block * 27 * nodes];
    for (int n = 0; n < nodes; ++n) {
        if (liquid.active[b * nodes + static_cast<std::size_t>(n)] == 0) continue;
        for (int m = 0; m < 27; ++m) {
            if (coefficient[m * nodes + n] == 0) continue;
            const Vec3i at{n % 4 + m % 3 - 1, n / 4 % 4 + m / 3 % 3 - 1, n / 16 + m / 9 - 1};
            if (!blocks.has(b, at) || liquid.active[blocks.index_near(b, at)] == 0) return false;
        }
    }
    return true;
}

/// Liquid that fills a closed vessel has no surface where phi vanishes: phi is free up to a constant, and there is a
/// solution only if what flows in flows out. Rounding and quadrature leave a rest, which is spread over the liquid.
void CoarseSystem::balance_closed_liquid(const CoarseBlocks& blocks, const CoarseLiquid& liquid) {
    for (std::size_t k = 0; k < liquid.active_blocks.size(); ++k) {
        if (!is_closed(blocks, liquid, k)) return;
    }
    const auto [rest, fill] = exact_sums<2>(liquid.active_blocks.size(), blocks_per_task, [&](std::size_t k) {
        std::array<double, 2> sums{};
        const std::size_t first = liquid.active_blocks[k] * nodes;
        for (std::size_t i = first; i < first + nodes; ++i) {
            if (liquid.active[i] == 0) continue;
            sums[0] += static_cast<double>(rhs_[i]);
            sums[1] += static_cast<double>(liquid.fill[i]);
        }
        return sums;
    });
    if (fill == 0) return;
    const auto share = static_cast<float>(rest / fill);
    for (const std::size_t b : liquid.active_blocks) {
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i)
            rhs_[i] -= share * liquid.fill[i] * liquid.active[i];
    }
}

double CoarseSystem::apply(const CoarseBlocks& blocks, const CoarseLiquid& liquid, const Buffer<float>& in,
                           Buffer<float>& out) const {
    return exact_sum(liquid.active_blocks.size(), blocks_per_task, [&](std::size_t block) {
        const std::size_t b = liquid.active_blocks[block];
        // The block's nodes and one layer around them.
        float halo[216];
        for (int z = -1; z < 5; ++z) {
            for (int y = -1; y < 5; ++y) {
                for (int x = -1; x < 5; ++x) {
                    const std::int32_t other =
                        blocks.blocks[b].neighbors[CoarseBlocks::neighbor_index(x >> 2, y >> 2, z >> 2)];
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
                    for (int x = 0; x < 4; ++x)
                        result[(z * 4 + y) * 4 + x] += coefficient[(z * 4 + y) * 4 + x] * from[(z * 6 + y) * 6 + x];
                }
            }
        }
        float product = 0;
        for (int n = 0; n < nodes; ++n) {
            const std::size_t i = b * nodes + static_cast<std::size_t>(n);
            out[i] = result[n] * liquid.active[i];
            product += out[i] * in[i];
        }
        return static_cast<double>(product);
    });
}

int CoarseSystem::solve(const CoarseBlocks& blocks, const CoarseLiquid& liquid, const CoarseSlivers& slivers,
                        CoarseBodies& bodies) {
    balance_closed_liquid(blocks, liquid);
    // Conjugate gradients with the diagonal as preconditioner, over the blocks that have liquid nodes.
    const auto sum_nodes = [&](const auto& body) {
        return exact_sum(liquid.active_blocks.size(), blocks_per_task, [&](std::size_t k) {
            const std::size_t first = liquid.active_blocks[k] * nodes;
            const float* diagonal = &coefficients_[(k * 27 + 13) * nodes];
            float sum = 0;
            for (std::size_t n = 0; n < nodes; ++n) {
                const float inverse = diagonal[n] > 0 ? liquid.active[first + n] / diagonal[n] : 0.f;
                sum += body(first + n, inverse);
            }
            return static_cast<double>(sum);
        });
    };
    slivers.fold(rhs_);
    double rho = sum_nodes([&](std::size_t i, float inverse_diagonal) {
        residual_[i] = rhs_[i];
        direction_[i] = inverse_diagonal * rhs_[i];
        return rhs_[i] * direction_[i];
    });
    const double goal = tolerance * tolerance * rho;
    int iterations = 0;
    while (iterations < most_iterations && rho > goal && rho > 0) {
        slivers.spread(direction_);
        const double curvature = apply(blocks, liquid, direction_, product_) + bodies.apply(direction_, product_);
        if (!(curvature > 0)) break;
        slivers.fold(product_);
        const auto alpha = static_cast<float>(rho / curvature);
        const double rho_next = sum_nodes([&](std::size_t i, float inverse_diagonal) {
            phi_[i] += alpha * direction_[i];
            residual_[i] -= alpha * product_[i];
            return residual_[i] * residual_[i] * inverse_diagonal;
        });
        const auto beta = static_cast<float>(rho_next / rho);
        parallel_for(liquid.active_blocks.size(), blocks_per_task, [&](Range range) {
            for (std::size_t k : range) {
                const std::size_t first = liquid.active_blocks[k] * nodes;
                const float* diagonal = &coefficients_[(k * 27 + 13) * nodes];
                for (std::size_t n = 0, i = first; n < nodes; ++n, ++i) {
                    const float inverse = diagonal[n] > 0 ? liquid.active[i] / diagonal[n] : 0.f;
                    direction_[i] = inverse * residual_[i] + beta * direction_[i];
                }
            }
        });
        rho = rho_next;
        ++iterations;
    }
    return iterations;
}

}  // namespace spindrift::pbf
