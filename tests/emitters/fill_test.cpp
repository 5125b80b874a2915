#include "spindrift/emitters/fill.h"

#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace spindrift::emitters {
namespace {

/// Coordinates are sums of a few numbers around one.
constexpr double rounding = 1e-9;

FillParams box_fill(Vec3d lo, Vec3d hi) {
    FillParams fill;
    fill.box = Box3d{lo, hi};
    return fill;
}

FillParams sphere_fill(Vec3d center, double radius) {
    FillParams fill;
    fill.sphere = SphereShape{center, radius};
    return fill;
}

FillParams cylinder_fill(Vec3d base, Vec3d top, double radius) {
    FillParams fill;
    fill.cylinder = CylinderShape{base, top, radius};
    return fill;
}

FillParams jittered(FillParams fill, double jitter) {
    fill.sampling = Sampling::jittered;
    fill.jitter = jitter;
    return fill;
}

/// Of the cells cut by a round surface, each counts as inside or outside; their number is about area / spacing^2 and
/// their errors are as good as independent with a spread of at most one half. Five such spreads.
double count_tolerance(double area, double spacing) {
    return 5 * 0.5 * std::sqrt(area) / spacing;
}

TEST(FillTest, boxes_hold_exactly_volume_over_spacing_cubed) {
    for (double spacing : {0.1, 0.05, 0.02, 1. / 3, 0.07}) {
        for (Vec3d corner : {Vec3d{0, 0, 0}, Vec3d{-7.3, 0.1, 1000}}) {
            const Vec3d cells{12, 7, 20};
            const FillParams fill = box_fill(corner, corner + cells * spacing);
            EXPECT_EQ(sample_fill(fill, spacing, 1).size(), 12u * 7u * 20u) << spacing;
            EXPECT_NEAR(volume(fill), 12 * 7 * 20 * std::pow(spacing, 3), rounding * volume(fill) * 1e4);
        }
    }
}

TEST(FillTest, particles_of_a_box_stand_half_a_spacing_off_its_faces) {
    const double spacing = 0.1;
    const std::vector<Vec3d> points = sample_fill(box_fill({1, 2, 3}, {1.5, 2.3, 3.2}), spacing, 1);
    Box3d extent{points[0], points[0]};
    for (Vec3d p : points)
        extent = {min(extent.lo, p), max(extent.hi, p)};
    for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(extent.lo[a], (Vec3d{1.05, 2.05, 3.05}[a]), rounding);
        EXPECT_NEAR(extent.hi[a], (Vec3d{1.45, 2.25, 3.15}[a]), rounding);
    }
}

TEST(FillTest, a_box_that_is_no_multiple_of_the_spacing_is_filled_from_its_middle) {
    const std::vector<Vec3d> points = sample_fill(box_fill({0, 0, 0}, {0.29, 0.1, 0.1}), 0.1, 1);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_NEAR(points[0].x, 0.095, rounding);
    EXPECT_NEAR(points[1].x, 0.195, rounding);
}

TEST(FillTest, no_two_particles_share_a_place) {
    std::set<std::tuple<double, double, double>> places;
    const std::vector<Vec3d> points = sample_fill(sphere_fill({0.1, 0.2, 0.3}, 1), 0.1, 1);
    for (Vec3d p : points)
        places.insert({p.x, p.y, p.z});
    EXPECT_EQ(places.size(), points.size());
}

TEST(FillTest, spheres_hold_about_volume_over_spacing_cubed) {
    for (double spacing : {0.1, 0.07, 0.05}) {
        const FillParams fill = sphere_fill({1, -2, 0.37}, 1);
        const double area = 4 * std::numbers::pi;
        const double expected = volume(fill) / std::pow(spacing, 3);
        EXPECT_NEAR(static_cast<double>(sample_fill(fill, spacing, 1).size()), expected,
                    count_tolerance(area, spacing));
        EXPECT_LT(count_tolerance(area, spacing) / expected, 0.025) << "the bound itself is tight";
    }
}

TEST(FillTest, tilted_cylinders_hold_about_volume_over_spacing_cubed) {
    const FillParams fill = cylinder_fill({0.2, 0, -1}, {1.7, 1.1, 0.3}, 0.6);
    const double height = length(Vec3d{1.5, 1.1, 1.3});
    const double area = 2 * std::numbers::pi * 0.6 * (0.6 + height);
    EXPECT_NEAR(volume(fill), std::numbers::pi * 0.36 * height, rounding);
    for (double spacing : {0.08, 0.05}) {
        const double expected = volume(fill) / std::pow(spacing, 3);
        EXPECT_NEAR(static_cast<double>(sample_fill(fill, spacing, 1).size()), expected,
                    count_tolerance(area, spacing));
    }
}

TEST(FillTest, all_particles_are_inside_and_the_bounds_hold_them) {
    for (const FillParams& fill : {box_fill({-1, 0, 2}, {1, 0.55, 3}), sphere_fill({5, 5, 5}, 0.8),
                                   cylinder_fill({0, 0, 0}, {0.3, 1.2, -0.4}, 0.35)}) {
        const Box3d box = bounds(fill);
        const std::vector<Vec3d> points = sample_fill(fill, 0.06, 1);
        EXPECT_GT(points.size(), 1000u);
        for (Vec3d p : points)
            ASSERT_TRUE(contains(fill, p) && box.contains(p));
    }
}

TEST(FillTest, bounds_touch_the_shapes) {
    const Box3d along_y = bounds(cylinder_fill({1, 0, 1}, {1, 2, 1}, 0.5));
    EXPECT_EQ(along_y.lo, (Vec3d{0.5, 0, 0.5}));
    EXPECT_EQ(along_y.hi, (Vec3d{1.5, 2, 1.5}));
    EXPECT_EQ(bounds(sphere_fill({1, 2, 3}, 1)), (Box3d{{0, 1, 2}, {2, 3, 4}}));
    EXPECT_EQ(volume(FillParams{}), 0);
}

TEST(FillTest, jitter_moves_each_point_by_at_most_its_share_of_the_spacing) {
    const FillParams fill = box_fill({0, 0, 0}, {1, 1, 1});
    const double spacing = 0.1, jitter = 0.4;
    const std::vector<Vec3d> still = sample_fill(fill, spacing, 1),
                             moved = sample_fill(jittered(fill, jitter), spacing, 1);
    ASSERT_EQ(moved.size(), still.size());
    double largest = 0;
    for (std::size_t i = 0; i < still.size(); ++i) {
        for (int a = 0; a < 3; ++a)
            largest = std::max(largest, std::abs(moved[i][a] - still[i][a]));
        ASSERT_TRUE(contains(fill, moved[i]));
    }
    EXPECT_LE(largest, jitter * spacing + rounding);
    // Three thousand draws come within a hundredth of the limit but once in 10^13.
    EXPECT_GE(largest, 0.99 * jitter * spacing);
}

TEST(FillTest, jitter_is_decided_by_the_seed) {
    const FillParams fill = jittered(sphere_fill({0, 0, 0}, 1), 0.25);
    EXPECT_EQ(sample_fill(fill, 0.2, 7), sample_fill(fill, 0.2, 7));
    EXPECT_NE(sample_fill(fill, 0.2, 7), sample_fill(fill, 0.2, 8));
    const FillParams still = sphere_fill({0, 0, 0}, 1);
    EXPECT_EQ(sample_fill(still, 0.2, 7), sample_fill(still, 0.2, 8));
}

TEST(FillTest, jittered_particles_stay_inside_round_shapes) {
    for (const FillParams& fill : {sphere_fill({0, 0, 0}, 0.5), cylinder_fill({0, 0, 0}, {0.3, 1, 0.2}, 0.3)}) {
        for (Vec3d p : sample_fill(jittered(fill, 0.5), 0.05, 3))
            ASSERT_TRUE(contains(fill, p));
    }
}

TEST(FillTest, shapes_smaller_than_the_spacing_give_one_particle_in_their_middle) {
    for (const FillParams& fill : {box_fill({0, 0, 0}, {0.02, 0.01, 0.03}), sphere_fill({0.01, 0.005, 0.015}, 0.004),
                                   cylinder_fill({0.01, 0, 0.015}, {0.01, 0.01, 0.015}, 0.02)}) {
        const std::vector<Vec3d> points = sample_fill(fill, 0.1, 1);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_LT(length(points[0] - Vec3d{0.01, 0.005, 0.015}), rounding);
    }
}

}  // namespace
}  // namespace spindrift::emitters
