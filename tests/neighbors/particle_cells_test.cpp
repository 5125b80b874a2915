#include "spindrift/neighbors/particle_cells.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace spindrift::neighbors {
namespace {

std::vector<Vec3f> cloud(std::size_t n, float size) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(0, size);
    std::vector<Vec3f> x(n);
    for (Vec3f& each : x)
        each = {place(random), place(random), place(random)};
    return x;
}

/// Numbers of the caller's particles of a class that are within a reach of a point in metres, as runs find them.
std::vector<std::uint32_t> found(const ParticleCells& cells, Vec3f p, double reach, int of_class) {
    const auto per_unit = static_cast<float>(1 / cells.unit());
    const Vec3f at = p * per_unit;
    const float r = static_cast<float>(reach) * per_unit;
    std::vector<std::uint32_t> all;
    cells.for_runs({at, at}, r, of_class, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3f d = cells.x()[i].xyz() - at;
            if (dot(d, d) <= r * r) all.push_back(cells.source(i));
        }
    });
    std::sort(all.begin(), all.end());
    return all;
}

TEST(ParticleCells, runs_hold_everyone_within_reach_once) {
    const std::vector<Vec3f> x = cloud(4000, 0.4f);
    std::vector<std::uint16_t> liquid(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        liquid[i] = static_cast<std::uint16_t>(i % 3);
    // The first and the last liquid are one class, the finer one.
    const ParticleCells cells({.x = x, .origin = {1000, 0, 0}, .liquid = liquid, .spacing = {0.01, 0.02, 0.01}});
    ASSERT_EQ(cells.classes(), 2);
    EXPECT_EQ(cells.class_of(1), 0) << "the coarsest comes first";
    EXPECT_EQ(cells.origin().x, 1000);
    for (const double reach : {0.005, 0.03, 0.11}) {
        for (const Vec3f p : {x[17], Vec3f{0.2f, 0.2f, 0.2f}, Vec3f{-0.01f, 0.41f, 0}}) {
            const auto per_unit = static_cast<float>(1 / cells.unit());
            const float r = static_cast<float>(reach) * per_unit;
            std::vector<std::uint32_t> expected[2];
            for (std::uint32_t i = 0; i < x.size(); ++i) {
                const Vec3f d = x[i] * per_unit - p * per_unit;
                if (dot(d, d) <= r * r) expected[cells.class_of(liquid[i])].push_back(i);
            }
            for (const int of_class : {0, 1})
                EXPECT_EQ(found(cells, p, reach, of_class), expected[of_class]) << reach;
        }
    }
}

TEST(ParticleCells, particles_that_are_nowhere_are_left_out_and_counted) {
    std::vector<Vec3f> x = cloud(100, 0.1f);
    x[3].y = std::numeric_limits<float>::quiet_NaN();
    x[90].x = std::numeric_limits<float>::infinity();
    const ParticleCells cells({.x = x, .spacing = {0.01}});
    EXPECT_EQ(cells.size(), 98u);
    EXPECT_EQ(cells.skipped(), 2u);
    EXPECT_EQ(found(cells, x[4], 1, 0).size(), 98u);
    ParticleCells none;
    none.sort({.x = {}, .spacing = {0.01}});
    EXPECT_EQ(found(none, {0, 0, 0}, 1, 0).size(), 0u);
}

}  // namespace
}  // namespace spindrift::neighbors
