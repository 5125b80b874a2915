#include <cmath>
#include <cstring>
#include <limits>

#include "pool.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

using namespace spindrift;
using namespace spindrift::grid;

namespace {

double largest(const Pool& pool, const Field<float>& field) {
    double most = 0;
    for (std::size_t leaf = 1; leaf < pool.leaves.size(); ++leaf) {
        for (int c = 0; c < leaf_cells; ++c)
            most = std::max(most, double{std::abs(field.leaf(leaf)[c])});
    }
    return most;
}

}  // namespace

TEST(Poisson, HasTheSameBitsForAnyNumberOfThreads) {
    Pool one = wavy_pool(48), two = wavy_pool(48);
    {
        const ThreadLimit limit(1);
        one.solve();
    }
    const ThreadLimit limit(2);
    two.solve();
    for (std::size_t leaf = 0; leaf < one.leaves.size(); ++leaf)
        ASSERT_EQ(std::memcmp(one.x.leaf(leaf), two.x.leaf(leaf), sizeof(float) * leaf_cells), 0);
}

TEST(Poisson, LeavesOutTheMeanWhereNothingHoldsThePressure) {
    Pool pool({-8, -3, 0}, {20, 21, 30});
    pool.fill([](Vec3d) { return -1.0; });
    pool.add_rhs([](Vec3d p) { return 3 + std::sin(p.x); });
    const SolveReport report = pool.solve({1e-6, 200, nullptr});
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_LE(report.iterations, 30);
    double sum = 0;
    pool.for_cells([&](Vec3i c) { sum += double{pool.value(pool.x, c)}; });
    // Of values of order one, rounded to floats.
    EXPECT_NEAR(sum / static_cast<double>(pool.unknowns), 0, 1e-6);
}

TEST(Poisson, SaysNothingMovesInAFullBoxThatIsToGrowEverywhere) {
    Pool pool({0, 0, 0}, {16, 16, 16});
    pool.fill([](Vec3d) { return -1.0; });
    pool.add_rhs([](Vec3d) { return 0.7; });
    const SolveReport report = pool.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(largest(pool, pool.x), 0);
}

TEST(Poisson, FindsAClosedPocketBesideOpenWaterInTheSameLeaves) {
    // Cells below x = 11 are behind a wall and full; the others have a surface. Both share the leaves from 8 to 15.
    Pool pool({0, 0, 0}, {24, 16, 16});
    pool.fill([](Vec3d p) { return p.x < 11 ? -1.0 : p.y - 9.6; },
              [](Vec3i c, int axis) { return axis != 0 || c.x != 11; });
    pool.add_rhs([](Vec3d p) { return 1 + std::sin(0.8 * p.y) + std::cos(p.x); });
    const SolveReport report = pool.solve();
    EXPECT_TRUE(report.converged) << report.residual << ' ' << report.iterations;
    EXPECT_LE(report.residual, 1e-4);
    double pocket = 0, open = 0;
    pool.for_cells([&](Vec3i c) { (c.x < 11 ? pocket : open) += double{pool.value(pool.x, c)}; });
    EXPECT_NEAR(pocket / (11 * 16 * 16), 0, 1e-4);
    EXPECT_GT(open, 1);
}

TEST(Poisson, SolvesASingleCell) {
    Pool pool({3, 3, 3}, {4, 4, 4});
    pool.value(pool.stencil.diagonal, {3, 3, 3}) = 4;
    pool.value(pool.rhs, {3, 3, 3}) = 6;
    pool.value(pool.rhs, {4, 3, 3}) = 100;
    const SolveReport report = pool.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 2);
    EXPECT_NEAR(pool.value(pool.x, {3, 3, 3}), 1.5f, 1e-5f);
    EXPECT_EQ(pool.value(pool.x, {4, 3, 3}), 0);
}

TEST(Poisson, HasNothingToDoWithoutUnknownsOrWithoutARightHandSide) {
    Pool dry({0, 0, 0}, {8, 8, 8});
    dry.rhs.fill(1.f);
    EXPECT_TRUE(dry.solve().converged);
    EXPECT_EQ(largest(dry, dry.x), 0);
    Pool still = wavy_pool(16);
    still.rhs.fill(0.f);
    const SolveReport report = still.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    LeafSet none;
    Stencil stencil;
    stencil.resize(none.size());
    Field<float> rhs, x;
    rhs.resize(none.size(), 0.f);
    PoissonSolver solver;
    EXPECT_TRUE(solver.solve(none, stencil, rhs, x).converged);
}

TEST(Poisson, SolvesBlocksThatAreFarApart) {
    Pool pool({0, 0, 0}, {8, 8, 8});
    pool.set_leaves({{-500, 0, 3}, {500, 7, 3}, {501, 7, 3}});
    for (const int low : {-4000, 4000}) {
        pool.low = {low, low < 0 ? 0 : 56, 24};
        pool.high = pool.low + Vec3i{low < 0 ? 8 : 16, 8, 8};
        pool.fill([&](Vec3d p) { return p.y - pool.low.y - 5.3; });
        pool.add_rhs([](Vec3d p) { return 1 + std::sin(p.x + p.z); });
    }
    const SolveReport report = pool.solve();
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 9);
    EXPECT_GT(pool.value(pool.x, {4010, 57, 28}), 0);
    EXPECT_GT(pool.value(pool.x, {-3995, 1, 28}), 0);
}

TEST(Poisson, SaysThatItDidNotConvergeFromWhatIsNoNumber) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Pool pool = wavy_pool(16);
        pool.value(pool.rhs, {0, 2, 2}) = bad;
        EXPECT_FALSE(pool.solve().converged);
        EXPECT_EQ(largest(pool, pool.x), 0);
        Pool matrix = wavy_pool(16);
        matrix.value(matrix.stencil.diagonal, {0, 2, 2}) = bad;
        const SolveReport report = matrix.solve();
        EXPECT_LE(report.iterations, 400);
    }
}

TEST(Poisson, IsAsGoodForTinyAndHugeRightHandSides) {
    for (const float scale : {1e-30f, 1e30f}) {
        Pool plain = wavy_pool(16), scaled = wavy_pool(16);
        scaled.for_cells([&](Vec3i c) { scaled.value(scaled.rhs, c) *= scale; });
        plain.solve();
        EXPECT_TRUE(scaled.solve().converged);
        EXPECT_NEAR(largest(scaled, scaled.x) / double{scale} / largest(plain, plain.x), 1, 1e-4);
    }
}

namespace {

/// A plate on the top of the water: one pressure over it all, c (sum of p over its cells) for each of them.
class Plate : public Addition {
  public:
    Plate(Pool& pool, int top, float weight) : pool_(pool), top_(top), weight_(weight) {}
    double add(const Field<float>& in, Field<float>& out) override {
        Field<float>& values = const_cast<Field<float>&>(in);
        double sum = 0;
        for_plate([&](Vec3i c) { sum += double{pool_.value(values, c)}; });
        for_plate([&](Vec3i c) { pool_.value(out, c) += weight_ * static_cast<float>(sum); });
        return double{weight_} * sum * sum;
    }

  private:
    template <class Body>
    void for_plate(const Body& body) const {
        for (int z = pool_.low.z; z < pool_.high.z; ++z)
            for (int x = pool_.low.x; x < pool_.high.x; ++x)
                body(Vec3i{x, top_, z});
    }
    Pool& pool_;
    int top_;
    float weight_;
};

}  // namespace

TEST(Poisson, LetsAPlateHoldWaterThatIsClosedOtherwise) {
    // All of the right-hand side leaves through the plate: the sum over its cells of p times weight times their number.
    Pool pool({0, 0, 0}, {16, 16, 16});
    pool.fill([](Vec3d) { return -1.0; });
    pool.add_rhs([](Vec3d) { return 1.0; });
    Plate plate(pool, 15, 0.01f);
    const SolveReport report = pool.solve({1e-4, 200, &plate});
    EXPECT_TRUE(report.converged) << report.residual << ' ' << report.iterations;
    double sum = 0;
    for (int z = 0; z < 16; ++z)
        for (int x = 0; x < 16; ++x)
            sum += double{pool.value(pool.x, {x, 15, z})};
    EXPECT_NEAR(sum * 0.01 * 256 / 4096, 1, 1e-3);
}
