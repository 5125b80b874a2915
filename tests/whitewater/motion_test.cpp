// Drops fall and bubbles rise at the speeds that were measured, however long the steps are.

#include "spindrift/whitewater/motion.h"

#include <algorithm>
#include <cmath>

#include "figures.h"
#include <gtest/gtest.h>

namespace spindrift::whitewater {
namespace {

constexpr Air still{.gravity = {0, -9.81f, 0}, .wind = {}};

/// Speed of a fall after ten seconds.
float fall(float diameter, Terminal terminal, float start, float dt) {
    Vec3f x, v{0, -start, 0};
    for (float t = 0; t < 10; t += dt)
        fly(x, v, terminal_speed(diameter, terminal), still, dt);
    return -v.y;
}

TEST(MotionTest, drops_end_with_their_terminal_speed_from_rest_and_from_30_m_per_s) {
    // The step's fixed point is exact; floats and what is left after ten seconds are below this.
    constexpr float tolerance = 1e-3f;
    float worst = 0;
    for (const Terminal table : {Terminal::measured, Terminal::linear}) {
        for (const float mm : {0.5f, 1.f, 2.f, 3.3f, 4.5f}) {
            const float wanted = terminal_speed(mm / 1000, table);
            for (const float start : {0.f, 30.f}) {
                for (const float dt : {1 / 24.f, 1 / 96.f}) {
                    const float off = std::abs(fall(mm / 1000, table, start, dt) / wanted - 1);
                    EXPECT_LT(off, tolerance) << mm << " mm, from " << start << " m/s, dt " << dt;
                    worst = std::max(worst, off);
                }
            }
        }
    }
    tell({"W1", "terminal speed off by", worst, 0.02, 0.001});
}

TEST(MotionTest, terminal_speeds_are_those_of_rain) {
    EXPECT_FLOAT_EQ(terminal_speed(1e-3f, Terminal::measured), 4.03f);
    EXPECT_NEAR(terminal_speed(1.1e-3f, Terminal::measured), (4.03f + 4.64f) / 2, 1e-4f);
    EXPECT_FLOAT_EQ(terminal_speed(8e-3f, Terminal::measured), 9.17f) << "larger ones break up";
    EXPECT_NEAR(terminal_speed(0.05e-3f, Terminal::measured), 0.0675f, 1e-4f) << "as the square of the diameter";
    EXPECT_FLOAT_EQ(terminal_speed(0.5e-3f, Terminal::linear), 2);
    EXPECT_FLOAT_EQ(terminal_speed(4.5e-3f, Terminal::linear), 9);
}

TEST(MotionTest, wind_carries_drops_and_mist) {
    const Air windy{.gravity = {0, -9.81f, 0}, .wind = {6, 0, 0}};
    float worst = 0;
    for (const float mm : {0.05f, 0.2f, 1.f, 4.f}) {
        Vec3f x, v;
        for (int k = 0; k < 480; ++k)
            fly(x, v, terminal_speed(mm / 1000, Terminal::measured), windy, 1 / 24.f);
        EXPECT_NEAR(v.x, 6, 0.006) << mm;
        worst = std::max(worst, std::abs(v.x / 6 - 1));
        EXPECT_NEAR(-v.y, terminal_speed(mm / 1000, Terminal::measured), 0.01) << mm;
    }
    tell({"W1", "speed with the wind off by", worst, 0.02, 0.001});
}

TEST(MotionTest, a_throw_against_the_wind_is_the_same_in_long_steps) {
    const Air windy{.gravity = {0, -9.81f, 0}, .wind = {-6, 0, 0}};
    const auto end = [&](float dt) {
        Vec3f x, v{15, 0, 0};
        for (int k = 0; k < std::lround(0.5f / dt); ++k)
            fly(x, v, 5.5f, windy, dt);
        return x;
    };
    // Second order: 24 steps in a second are 4 times as far off as 48.
    EXPECT_LT(length(end(1 / 24.f) - end(1 / 3072.f)), 0.03f);
}

TEST(MotionTest, bubbles_rise_as_fast_as_their_size_wants) {
    double worst = 0;
    for (const auto& [mm, speed] : {std::pair{2.f, 0.297f}, std::pair{5.5f, 0.236f}, std::pair{1.f, 0.15f}}) {
        for (const float dt : {1 / 24.f, 1 / 96.f}) {
            Vec3f x, v;
            for (float t = 0; t < 1; t += dt)
                float_up(x, v, {}, {0, rise_speed(mm / 1000), 0}, dt);
            EXPECT_NEAR(v.y / speed, 1, 0.005) << mm << " mm, dt " << dt;
            worst = std::max(worst, std::abs(v.y / speed - 1.0));
        }
    }
    tell({"W6", "speed of rise off by", worst, 0.02, 0.005});
}

TEST(MotionTest, drops_hold_together_up_to_a_weber_number_of_twelve) {
    EXPECT_NEAR(largest_drop(10), 7.3e-3f, 0.1e-3f);
    EXPECT_NEAR(largest_drop(30), 0.8e-3f, 0.02e-3f);
}

TEST(MotionTest, sizes_thin_out_exponentially) {
    EXPECT_FLOAT_EQ(diameter_of({0.2, 5}, 1.2, 0), 0.2e-3f);
    EXPECT_NEAR(diameter_of({0.2, 5}, 1.2, 1), 5e-3f, 1e-6f);
    // The median of an exponential is ln 2 scales above where it begins; the cut takes little off.
    EXPECT_NEAR(diameter_of({0.2, 50}, 1.2, 0.5f), (0.2 + 1.2 * std::log(2)) * 1e-3, 1e-6);
}

}  // namespace
}  // namespace spindrift::whitewater
