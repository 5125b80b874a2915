// The dam break against experiment (Martin and Moyce 1952, tables 2 and 6) and shallow-water theory (Ritter 1892).

#include "dam_break.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

TEST(DamBreak, front_and_column_follow_martin_and_moyce) {
    const Collapse c = collapse(0.05715, 40);
    RecordProperty("front_error", std::to_string(front_error(c)));
    RecordProperty("front_slope", std::to_string(front_slope(c)));
    RecordProperty("height_error", std::to_string(height_error(c)));
    fmt::print("front {:.4f} slope {:.4f} height {:.4f}\n", front_error(c), front_slope(c), height_error(c));
    // Digitisations of this experiment differ by 2 to 11 %; 10 % is what a good solver meets, and its slope is 1.319.
    EXPECT_LT(front_error(c), 0.10);
    EXPECT_NEAR(front_slope(c), 1.319, 0.132);
    EXPECT_LT(height_error(c), 0.05);
}

TEST(DamBreak, front_converges_under_refinement) {
    const Collapse coarse = collapse(0.05715, 10), medium = collapse(0.05715, 20), fine = collapse(0.05715, 40);
    const auto distance = [](const Collapse& a, const Collapse& b) {
        double sum = 0;
        for (double t = 1; t <= 3.2; t += 0.2) {
            sum += std::abs(interpolate(a.front, t) - interpolate(b.front, t)) / interpolate(b.front, t) / 12;
        }
        return sum;
    };
    fmt::print("coarse-medium {:.4f} medium-fine {:.4f}\n", distance(coarse, medium), distance(medium, fine));
    EXPECT_LT(distance(medium, fine), distance(coarse, medium));
    EXPECT_LT(distance(medium, fine), 0.04);
}

TEST(DamBreak, does_not_depend_on_where_the_scene_is) {
    const Collapse here = collapse(0.05715, 16), there = collapse(0.05715, 16, "", {1000, -1000, 1000});
    // Sixteen spacings per width and spray at the tip: 1 % is a sixth of a spacing.
    for (double t = 1; t <= 3.2; t += 0.2) {
        EXPECT_NEAR(interpolate(there.front, t), interpolate(here.front, t), 0.01 * interpolate(here.front, t));
    }
}

TEST(DamBreak, scales_with_froude) {
    const Collapse small = collapse(0.05, 16), large = collapse(5, 16);
    for (double t = 1; t <= 3.2; t += 0.2) {
        EXPECT_NEAR(interpolate(large.front, t), interpolate(small.front, t), 0.01 * interpolate(small.front, t));
    }
}

TEST(DamBreak, profile_follows_ritter) {
    const Reservoir r = empty_reservoir();
    EXPECT_NEAR(r.depth_at_gate, 4.0 / 9, 0.1 * 4 / 9);
    // Where the strip of some sixty particles first has less: 0.92 to 0.97 are measured, by chance of where a dip is.
    EXPECT_NEAR(r.contour, 1.051, 0.15 * 1.051);
}

}  // namespace
}  // namespace spindrift
