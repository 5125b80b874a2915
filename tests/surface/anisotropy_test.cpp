#include "spindrift/surface/anisotropy.h"

#include <cmath>
#include <numbers>

#include "surface_shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/eigen.h"
#include "spindrift/core/parallel.h"

namespace spindrift::surface {
namespace {

constexpr float spacing = 0.01f;
constexpr double radius = 2.8;  ///< of the kernels, spacings

/// A kernel's axes, the shortest first, with their lengths in radii of its class's kernels.
Eigen3 inverse_axes(const Anisotropy& kernels, const neighbors::ParticleCells& cells, std::size_t sorted) {
    const double unit = 0.5 * radius * static_cast<double>(cells.cell(cells.class_of(cells.liquid(sorted))));
    Symmetric3 m;
    for (std::size_t k = 0; k < 6; ++k)
        m[k] = static_cast<double>(kernels.G[sorted][k]) * unit;
    Eigen3 eigen = eigen_of(m);
    for (double& value : eigen.value)
        value = 1 / value;
    return eigen;
}

std::size_t sorted_place(const neighbors::ParticleCells& cells, std::size_t source) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells.source(i) == source) return i;
    }
    return cells.size();
}

TEST(Anisotropy, IsFlatInASheet) {
    // Tilted, so that no axis is special.
    const Vec3f u = normalize(Vec3f{2, 1, 0}), n = normalize(Vec3f{1, -2, 3}), v = cross(n, u);
    std::vector<Vec3f> x = lattice({24, 24, 1}, spacing);
    shake(x, 0.1f * spacing, 1);
    for (Vec3f& p : x)
        p = p.x * u + p.y * v + p.z * n;
    const neighbors::ParticleCells cells({.x = x, .spacing = {spacing}});
    const Anisotropy kernels = make_anisotropy(cells, radius);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const int at = static_cast<int>(cells.source(i));
        if (std::min({at % 24, 23 - at % 24, at / 24, 23 - at / 24}) < 4) continue;
        const Eigen3 axes = inverse_axes(kernels, cells, i);
        const double turned = std::abs(dot(axes.axis[0], vec_cast<double>(n)));
        EXPECT_GT(turned, std::cos(5 * std::numbers::pi / 180)) << at;
        // Clamped to a quarter of the longest axis; G is stored in floats.
        EXPECT_NEAR(axes.value[0] / axes.value[2], 0.25, 1e-4);
        // Covariances of a disc are 0.1786 R^2, those of a ball 0.15 R^2; shaking and the lattice add some percent.
        EXPECT_NEAR(axes.value[2], 0.1786 / 0.15, 0.12);
    }
}

TEST(Anisotropy, IsABallInside) {
    const Vec3i count{20, 20, 20};
    std::vector<Vec3f> x = lattice(count, spacing);
    shake(x, 0.2f * spacing, 2);
    const neighbors::ParticleCells cells({.x = x, .spacing = {spacing}});
    // Computed even where it is not needed.
    const std::vector<std::uint8_t> all(cells.size(), 1);
    const Anisotropy kernels = make_anisotropy(cells, radius, all);
    const Anisotropy quick = make_anisotropy(cells, radius);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (layer(cells.source(i), count) < 4) continue;
        const Eigen3 axes = inverse_axes(kernels, cells, i);
        EXPECT_NEAR(axes.value[0], 1, 0.1);
        EXPECT_NEAR(axes.value[2], 1, 0.1);
        EXPECT_NEAR(axes.value[0] * axes.value[1] * axes.value[2], 1, 0.1);
        if (layer(cells.source(i), count) < 6) continue;
        const auto g = static_cast<float>(2 / radius);
        EXPECT_EQ(quick.G[i], (std::array<float, 6>{g, 0, 0, g, 0, g}));
        EXPECT_EQ(quick.center[i], cells.x()[i].xyz());
    }
}

TEST(Anisotropy, IsAFlatterBallAtASurfaceAndMovesCentersInwards) {
    const Vec3i count{20, 20, 12};
    const std::vector<Vec3f> x = lattice(count, spacing);
    const neighbors::ParticleCells cells({.x = x, .spacing = {spacing}});
    const Anisotropy kernels = make_anisotropy(cells, radius);
    const std::size_t top = sorted_place(cells, (11 * 20 + 10) * 20 + 10);
    const Eigen3 axes = inverse_axes(kernels, cells, top);
    EXPECT_GT(std::abs(axes.axis[0].z), 0.999);
    EXPECT_LT(axes.value[0], 0.7 * axes.value[2]);
    const Vec3f moved = (kernels.center[top] - cells.x()[top].xyz()) * 2;
    EXPECT_NEAR(moved.x, 0, 1e-3);
    // 0.4 of the mean depth of its neighbours, in spacings.
    EXPECT_LT(moved.z, -0.35f);
    EXPECT_GT(moved.z, -0.7f);
}

TEST(Anisotropy, IsASmallBallForLoneParticles) {
    // One alone, two in one place, and a heap of forty in one place: nothing may be divided by 0.
    std::vector<Vec3f> x = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    x.resize(43, Vec3f{2, 0, 0});
    const neighbors::ParticleCells cells({.x = x, .spacing = {spacing}});
    const Anisotropy kernels = make_anisotropy(cells, radius);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Eigen3 axes = inverse_axes(kernels, cells, i);
        for (const double value : axes.value)
            EXPECT_NEAR(value, cells.source(i) < 3 ? static_cast<double>(lone_axis) : 0.1, 1e-5);
        EXPECT_EQ(kernels.center[i], cells.x()[i].xyz());
    }
    EXPECT_TRUE(make_anisotropy(neighbors::ParticleCells({.spacing = {spacing}}), radius).G.empty());
}

TEST(Anisotropy, FitsEachSpacing) {
    // Two balls of liquid far apart, the second half as large in everything.
    std::vector<Vec3f> x = lattice({9, 9, 9}, spacing);
    const std::size_t n = x.size();
    std::vector<std::uint16_t> liquid(n, 0);
    for (std::size_t i = 0; i < n; ++i)
        x.push_back(0.5f * x[i] + Vec3f{1, 0, 0});
    liquid.resize(x.size(), 1);
    const neighbors::ParticleCells cells({.x = x, .liquid = liquid, .spacing = {spacing, 0.5 * spacing}});
    const Anisotropy kernels = make_anisotropy(cells, radius);
    for (const std::size_t i : {std::size_t{0}, std::size_t{40}, std::size_t{364}}) {
        const Eigen3 a = inverse_axes(kernels, cells, sorted_place(cells, i));
        const Eigen3 b = inverse_axes(kernels, cells, sorted_place(cells, n + i));
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(a.value[k], b.value[k], 1e-3) << i;
    }
}

TEST(Anisotropy, IsTheSameBitsForAnyNumberOfThreads) {
    std::vector<Vec3f> x = lattice({20, 20, 10}, spacing);
    shake(x, 0.3f * spacing, 5);
    const neighbors::ParticleCells cells({.x = x, .spacing = {spacing}});
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return make_anisotropy(cells, radius);
    };
    const Anisotropy one = run(1), many = run(2);
    EXPECT_EQ(one.G, many.G);
    EXPECT_EQ(one.center, many.center);
}

}  // namespace
}  // namespace spindrift::surface
