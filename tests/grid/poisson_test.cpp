#include <cmath>
#include <numbers>

#include "pool.h"
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <gtest/gtest.h>

using namespace spindrift;
using namespace spindrift::grid;

namespace {

constexpr double pi = std::numbers::pi;

/// A pressure in the unit cube, and minus its Laplacian as a multiple of it.
struct Smooth {
    double (*value)(Vec3d p);
    double source;
};
const Smooth mode{[](Vec3d p) { return std::cos(pi * p.x) * std::cos(2 * pi * p.y) * std::cos(pi * p.z); }, 6 * pi* pi};
const Smooth slope{[](Vec3d p) { return std::sin(2 * p.x) * std::cos(3 * p.y) * std::exp(p.z); }, 12};

/// Relative error in the 2-norm of the mode between walls.
double error_between_walls(int n) {
    Pool pool({0, 0, 0}, {n, n, n});
    const auto exact = [n](Vec3d p) { return mode.value(p / n); };
    pool.fill([](Vec3d) { return -1.0; });
    pool.add_rhs([&](Vec3d p) { return mode.source / (n * n) * exact(p); });
    const SolveReport report = pool.solve({1e-8, 200, nullptr});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1e-8);
    double wrong = 0, whole = 0;
    pool.for_cells([&](Vec3i c) {
        const double p = exact(Pool::center(c));
        wrong += std::pow(double{pool.value(pool.x, c)} - p, 2);
        whole += p * p;
    });
    return std::sqrt(wrong / whole);
}

/// Largest error in a ball whose surface has the given pressure.
double error_in_ball(const Smooth& given, int n, Vec3d middle) {
    Pool pool({0, 0, 0}, {n, n, n});
    const auto exact = [&](Vec3d p) { return given.value(p / n); };
    pool.fill([&](Vec3d p) { return length(p - middle * n) - 0.4 * n; }, {}, 0.01, exact);
    pool.add_rhs([&](Vec3d p) { return given.source / (n * n) * exact(p); });
    EXPECT_TRUE(pool.solve({1e-8, 200, nullptr}).converged);
    double most = 0;
    pool.for_cells([&](Vec3i c) {
        if (pool.unknown(c)) most = std::max(most, std::abs(double{pool.value(pool.x, c)} - exact(Pool::center(c))));
    });
    return most;
}

/// Order between 16, 32 and 64 cells of the mean over places of the ball: how cells are cut is chance, and the worst of
/// them decides.
double order_in_balls(const Smooth& given) {
    const Vec3d middles[] = {{0.51, 0.48, 0.53}, {0.47, 0.52, 0.495}, {0.53, 0.5, 0.48}, {0.485, 0.515, 0.525}};
    double coarse = 0, fine = 0;
    for (const Vec3d middle : middles) {
        coarse += error_in_ball(given, 16, middle);
        fine += error_in_ball(given, 64, middle);
    }
    return std::log2(coarse / fine) / 2;
}

Eigen::VectorXd solve_by_eigen(Pool& pool, std::vector<Vec3i>& cells) {
    Field<float> number;
    number.resize(pool.leaves.size(), 0.f);
    pool.for_cells([&](Vec3i c) {
        if (!pool.unknown(c)) return;
        pool.value(number, c) = static_cast<float>(cells.size());
        cells.push_back(c);
    });
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd b(static_cast<Eigen::Index>(cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const int i = static_cast<int>(k);
        b[i] = double{pool.value(pool.rhs, cells[k])};
        entries.emplace_back(i, i, double{pool.value(pool.stencil.diagonal, cells[k])});
        for (int axis = 0; axis < 3; ++axis) {
            const float coupling = pool.value(pool.stencil.coupling[axis], cells[k]);
            if (coupling == 0) continue;
            Vec3i other = cells[k];
            --other[axis];
            const int j = static_cast<int>(pool.value(number, other));
            entries.emplace_back(i, j, -double{coupling});
            entries.emplace_back(j, i, -double{coupling});
        }
    }
    Eigen::SparseMatrix<double> matrix(b.size(), b.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver;
    solver.setTolerance(1e-9);
    solver.compute(matrix);
    return solver.solve(b);
}

}  // namespace

TEST(Poisson, HasTheErrorOfItsStencilBetweenWalls) {
    // The mode is an eigenvector of the seven-point stencil: the error is known in closed form.
    const double e16 = error_between_walls(16), e32 = error_between_walls(32), e64 = error_between_walls(64);
    EXPECT_NEAR(e16, 9.685908e-03, 0.01 * 9.685908e-03);
    EXPECT_NEAR(e32, 2.412541e-03, 0.01 * 2.412541e-03);
    EXPECT_NEAR(e64, 6.025784e-04, 0.01 * 6.025784e-04);
    EXPECT_GE(std::log2(e16 / e32), 1.9);
    EXPECT_GE(std::log2(e32 / e64), 1.9);
}

TEST(Poisson, IsOfSecondOrderBehindACurvedSurface) {
    EXPECT_GE(order_in_balls(mode), 1.9);
    // Here the cells at the surface decide. More of them come nearer to the worst that a cut can do, so that the
    // largest error falls a little slower than its bound.
    EXPECT_GE(order_in_balls(slope), 1.8);
}

TEST(Poisson, AgreesWithAnotherSolver) {
    Pool pool = wavy_pool(32);
    ASSERT_TRUE(pool.solve({1e-6, 200, nullptr}).converged);
    std::vector<Vec3i> cells;
    const Eigen::VectorXd other = solve_by_eigen(pool, cells);
    for (std::size_t k = 0; k < cells.size(); ++k) {
        ASSERT_NEAR(double{pool.value(pool.x, cells[k])}, other[static_cast<Eigen::Index>(k)],
                    1e-4 * other.lpNorm<Eigen::Infinity>());
    }
}

TEST(Poisson, TakesAsFewIterationsOnLargeGridsAsOnSmallOnes) {
    for (const int n : {32, 96}) {
        Pool pool = wavy_pool(n);
        const SolveReport report = pool.solve();
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.residual, 1e-4);
        EXPECT_LE(report.iterations, 9) << n;
    }
}

TEST(Poisson, TakesFewIterationsBelowASurfaceCloseToTheMiddlesOfCells) {
    // Diagonals there are 20 and more beside 6; aggregates with all of that or half of it take 9.
    for (const double surface : {39.52, 38.9}) {
        Pool pool({0, 0, 0}, {64, 64, 64});
        pool.fill([&](Vec3d p) { return p.y - surface; }, {}, 0.05);
        pool.add_rhs([](Vec3d p) { return p.y < 1 ? 1 : 0; });
        const SolveReport report = pool.solve();
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.iterations, 7) << surface;
    }
}

TEST(Poisson, RefinesInDoubleWhereFloatsAreTooShort) {
    // A source everywhere makes pressure large against its differences: floats alone end at 1.4e-4.
    Pool pool = wavy_pool(96);
    pool.rhs.fill(1.f);
    const SolveReport report = pool.solve();
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_LE(report.iterations, 20);
}
