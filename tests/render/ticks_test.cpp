#include "spindrift/render/annotate/ticks.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift::render {
namespace {

using Labels = std::vector<std::string>;

TEST(Ticks, are_round_numbers_within_the_range) {
    EXPECT_EQ(round_ticks({0, 4}, 6).labels, (Labels{"0", "1", "2", "3", "4"}));
    EXPECT_EQ(round_ticks({0.3, 3.7}, 6).labels, (Labels{"1", "2", "3"}));
    EXPECT_EQ(round_ticks({0, 0.6}, 6).labels, (Labels{"0.0", "0.2", "0.4", "0.6"}));
    EXPECT_EQ(round_ticks({1, 14.9}, 6).labels, (Labels{"2.5", "5.0", "7.5", "10.0", "12.5"}));
    EXPECT_EQ(round_ticks({10, 149}, 6).labels, (Labels{"25", "50", "75", "100", "125"}));
    EXPECT_EQ(round_ticks({900, 1100}, 6).labels, (Labels{"900", "950", "1000", "1050", "1100"}));
    EXPECT_EQ(round_ticks({293, 348}, 4).labels, (Labels{"300", "320", "340"}));
}

TEST(Ticks, have_a_real_minus_and_no_negative_zero) {
    EXPECT_EQ(round_ticks({-1, 1}, 6).labels, (Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
}

TEST(Ticks, of_large_and_small_numbers_share_a_power_of_ten) {
    const Ticks small = round_ticks({0, 6e-6}, 6), large = round_ticks({0, 2.5e7}, 6);
    EXPECT_EQ(small.labels, (Labels{"0", "2", "4", "6"}));
    EXPECT_EQ(small.factor, "×10⁻⁶");
    EXPECT_EQ(large.labels, (Labels{"0", "5", "10", "15", "20", "25"}));
    EXPECT_EQ(large.factor, "×10⁶");
    EXPECT_EQ(round_ticks({0, 0.05}, 6).labels, (Labels{"0.00", "0.01", "0.02", "0.03", "0.04", "0.05"}));
}

TEST(Ticks, there_are_three_to_six_in_any_range_that_has_a_width) {
    for (int i = 1; i < 2000; ++i) {
        const double low = std::sin(i) * std::pow(10, i % 13 - 6), width = (1 + i % 97) * std::pow(10, i % 11 - 5);
        const Ticks ticks = round_ticks({low, low + width}, 6);
        if (width < 1e-5 * std::abs(low)) continue;
        EXPECT_GE(ticks.values.size(), 3u) << low << " " << width;
        EXPECT_LE(ticks.values.size(), 6u) << low << " " << width;
        EXPECT_EQ(ticks.labels.size(), ticks.values.size());
        for (const double value : ticks.values)
            EXPECT_TRUE(value >= low && value <= low + width);
    }
}

TEST(Ticks, odd_ranges_are_borne) {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(round_ticks({-3, -3}, 6).labels, (Labels{"−3"}));
    EXPECT_EQ(round_ticks({0, 0}, 6).labels, (Labels{"0"}));
    EXPECT_EQ(round_ticks({1e9, 1e9 + 1e-4}, 6).values.size(), 1u);
    EXPECT_TRUE(round_ticks({0, nan}, 6).values.empty());
    EXPECT_TRUE(round_ticks({-infinity, 3}, 6).values.empty());
    EXPECT_TRUE(round_ticks({2, 1}, 6).values.empty());
    EXPECT_TRUE(round_ticks({-1.7e308, 1.7e308}, 6).values.empty());
    for (const double extreme : {1e-290, 1e-320, 1e300})
        EXPECT_LE(round_ticks({0, extreme}, 6).values.size(), 6u);
}

TEST(RoundLength, has_the_unit_that_suits_it) {
    EXPECT_EQ(round_length(0.27).text, "20 cm");
    EXPECT_DOUBLE_EQ(round_length(0.27).metres, 0.2);
    EXPECT_EQ(round_length(0.011).text, "1 cm");
    EXPECT_EQ(round_length(0.0099).text, "5 mm");
    EXPECT_EQ(round_length(1).text, "1 m");
    EXPECT_EQ(round_length(999).text, "500 m");
    EXPECT_EQ(round_length(1000).text, "1 km");
    EXPECT_EQ(round_length(2.3e6).text, "2000 km");
    EXPECT_EQ(round_length(3e-5).text, "20 µm");
}

TEST(RaisePowers, makes_raised_digits_of_powers_alone) {
    EXPECT_EQ(raise_powers("m^2/s"), "m²/s");
    EXPECT_EQ(raise_powers("kg m^-3"), "kg m⁻³");
    EXPECT_EQ(raise_powers("10^12"), "10¹²");
    EXPECT_EQ(raise_powers("a^b ^ ^-"), "a^b ^ ^-");
}

}  // namespace
}  // namespace spindrift::render
