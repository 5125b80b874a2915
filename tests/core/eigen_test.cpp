#include "spindrift/core/eigen.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

Vec3d times(const Symmetric3& m, Vec3d a) {
    return {m[0] * a.x + m[1] * a.y + m[2] * a.z, m[1] * a.x + m[3] * a.y + m[4] * a.z,
            m[2] * a.x + m[4] * a.y + m[5] * a.z};
}

/// The values are these, and the axes are unit vectors at right angles that the matrix only stretches.
void expect_eigen(const Symmetric3& m, double a, double b, double c) {
    const Eigen3 eigen = eigen_of(m);
    // Jacobi's method errs by a few roundings of the largest value.
    const double tolerance = 1e-14 * std::max({std::abs(a), std::abs(c), 1e-300});
    EXPECT_NEAR(eigen.value[0], a, tolerance);
    EXPECT_NEAR(eigen.value[1], b, tolerance);
    EXPECT_NEAR(eigen.value[2], c, tolerance);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(length(times(m, eigen.axis[k]) - eigen.axis[k] * eigen.value[k]), 0, 2 * tolerance);
        EXPECT_NEAR(dot(eigen.axis[k], eigen.axis[k]), 1, 1e-14);
        EXPECT_NEAR(dot(eigen.axis[k], eigen.axis[(k + 1) % 3]), 0, 1e-14);
    }
    EXPECT_NEAR(dot(cross(eigen.axis[0], eigen.axis[1]), eigen.axis[2]), 1, 1e-14);
}

TEST(Eigen, FindsKnownValues) {
    expect_eigen({1, 0, 0, 3, 0, 2}, 3, 2, 1);
    expect_eigen({2, 1, 0, 2, 0, -5}, 3, 1, -5);
    expect_eigen({2, -1, 0, 2, -1, 2}, 2 + std::sqrt(2.0), 2, 2 - std::sqrt(2.0));
    expect_eigen({1e-20, 0, 1e-20, 0, 0, 1e-20}, 2e-20, 0, 0);
}

TEST(Eigen, FindsRepeatedAndZeroValues) {
    expect_eigen({0, 0, 0, 0, 0, 0}, 0, 0, 0);
    expect_eigen({5, 0, 0, 5, 0, 5}, 5, 5, 5);
    expect_eigen({1, 1, 1, 1, 1, 1}, 3, 0, 0);     // a string
    expect_eigen({2, -1, -1, 2, -1, 2}, 3, 3, 0);  // a sheet
    expect_eigen({4, 1e-9, 0, 4, 0, 4}, 4 + 1e-9, 4, 4 - 1e-9);
}

TEST(Eigen, RebuildsRandomMatrices) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Symmetric3 m;
        for (std::size_t k = 0; k < 6; ++k)
            m[k] = 2 * static_cast<double>(uniform(hash_counter(1, seed, k))) - 1;
        const Eigen3 eigen = eigen_of(m);
        expect_eigen(m, eigen.value[0], eigen.value[1], eigen.value[2]);
        EXPECT_GE(eigen.value[0], eigen.value[1]);
        EXPECT_GE(eigen.value[1], eigen.value[2]);
        EXPECT_NEAR(eigen.value[0] + eigen.value[1] + eigen.value[2], m[0] + m[3] + m[5], 1e-14);
    }
}

}  // namespace
}  // namespace spindrift
