// The linear system of the coarse projection: its matrix, and conjugate gradients.

#include <functional>

#include "spindrift/core/parallel.h"
#include "spindrift/pbf/coarse_projection.h"

namespace spindrift::pbf {

namespace {

/// The residual at which the solve stops, relative to the right-hand side; the particles' own iterations do the rest.
constexpr double tolerance = 3e-3;
constexpr int most_iterations = 200;

/// A task shorter than this costs more to hand out than to do.
constexpr std::size_t blocks_per_task = 32;

/// int grad N_a . grad N_b over a cell, by how many axes the two corners differ on.
constexpr float element[4] = {CoarseProjection::node_spacing / 3, 0, -CoarseProjection::node_spacing / 12,
                              -CoarseProjection::node_spacing / 12};

}  // namespace

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
                    // The cell below or above the node on each axis.
                    const int d[3] = {side & 1, side >> 1 & 1, side >> 2};
                    const Vec3i cell{at[0] - d[0], at[1] - d[1], at[2] - d[2]};
                    if (blocks_[b].neighbors[neighbor_index(cell.x >> 2, cell.y >> 2, cell.z >> 2)] < 0) continue;
                    const float mobility = mobility_[index_near(b, cell)];
                    for (int m = 0; m < 8; ++m) {
                        const int e[3] = {m & 1, m >> 1 & 1, m >> 2};
                        const int apart = (e[0] != d[0]) + (e[1] != d[1]) + (e[2] != d[2]);
                        coefficient[neighbor_index(e[0] - d[0], e[1] - d[1], e[2] - d[2]) * nodes + n] +=
                            mobility * element[apart];
                    }
                }
            }
        }
    });
}

/// Liquid that fills a closed vessel has no surface where phi vanishes: phi is free up to a constant, and there is a
/// solution only if what flows in flows out. Rounding and quadrature leave a rest, which is spread over the liquid.
void CoarseProjection::balance_closed_liquid() {
    double rest = 0, fill = 0;
    for (std::size_t k = 0; k < active_blocks_.size(); ++k) {
        const std::size_t b = active_blocks_[k];
        const float* coefficient = &coefficients_[k * 27 * nodes];
        for (int n = 0; n < nodes; ++n) {
            const std::size_t i = b * nodes + static_cast<std::size_t>(n);
            if (active_[i] == 0) continue;
            for (int m = 0; m < 27; ++m) {
                if (coefficient[m * nodes + n] == 0) continue;
                const Vec3i at{n % 4 + m % 3 - 1, n / 4 % 4 + m / 3 % 3 - 1, n / 16 + m / 9 - 1};
                const bool outside = blocks_[b].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)] < 0;
                if (outside || active_[index_near(b, at)] == 0) return;
            }
            rest += static_cast<double>(rhs_[i]);
            fill += static_cast<double>(fill_[i]);
        }
    }
    if (fill == 0) return;
    const auto share = static_cast<float>(rest / fill);
    for (const std::size_t b : active_blocks_) {
        for (std::size_t i = b * nodes; i < (b + 1) * nodes; ++i)
            rhs_[i] -= share * fill_[i] * active_[i];
    }
}

double CoarseProjection::apply(const Buffer<float>& in, Buffer<float>& out) {
    return parallel_reduce(
        active_blocks_.size(), blocks_per_task, 0.0,
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
            active_blocks_.size(), blocks_per_task, 0.0,
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
    fold(rhs_);
    double rho = for_nodes([&](std::size_t i, float inverse_diagonal) {
        residual_[i] = rhs_[i];
        direction_[i] = inverse_diagonal * rhs_[i];
        return rhs_[i] * direction_[i];
    });
    const double goal = tolerance * tolerance * rho;
    for (int k = 0; k < most_iterations && rho > goal && rho > 0; ++k) {
        spread(direction_);
        const double curvature = apply(direction_, product_) + apply_bodies(direction_, product_);
        if (!(curvature > 0)) return;
        fold(product_);
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

}  // namespace spindrift::pbf
