#include "spindrift/image/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/image/image.h"

namespace spindrift::image {
namespace {

using image::luminance;

class SequentialColorMap : public testing::TestWithParam<const char*> {};

TEST_P(SequentialColorMap, grows_brighter_in_even_steps) {
    const ColorMap& map = color_map(GetParam());
    std::vector<float> lightness;
    for (int i = 0; i <= 64; ++i)
        lightness.push_back(std::cbrt(luminance(map(static_cast<float>(i) / 64))));
    const float mean_step = (lightness.back() - lightness.front()) / 64;
    for (std::size_t i = 1; i < lightness.size(); ++i) {
        const float step = lightness[i] - lightness[i - 1];
        EXPECT_GT(step, 0.4f * mean_step) << i;
        EXPECT_LT(step, 1.8f * mean_step) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Channels, SequentialColorMap, testing::Values("speed", "age"));

TEST(ColorMap, speed_goes_from_deep_blue_to_foam) {
    const Vec3f slow = color_map("speed")(0), fast = color_map("speed")(1);
    EXPECT_GT(slow.z, 3 * slow.x);
    EXPECT_LT(luminance(slow), 0.1f);
    EXPECT_GT(std::min({fast.x, fast.y, fast.z}), 0.8f);
}

TEST(ColorMap, density_is_neutral_in_the_middle_and_dark_at_both_ends) {
    const ColorMap& map = color_map("density");
    const Vec3f middle = map(0.5f);
    EXPECT_NEAR(middle.x, middle.z, 0.02f);
    EXPECT_GT(luminance(middle), 3 * luminance(map(0)));
    EXPECT_GT(luminance(middle), 3 * luminance(map(1)));
    EXPECT_GT(map(0).z, map(0).x);
    EXPECT_GT(map(1).x, map(1).z);
}

TEST(ColorMap, values_beyond_the_ends_take_the_color_of_the_end) {
    const ColorMap& map = color_map("speed");
    EXPECT_EQ(map(-3), map(0));
    EXPECT_EQ(map(7), map(1));
    EXPECT_EQ(map(std::numeric_limits<float>::quiet_NaN()), map(0));
    EXPECT_EQ(map_to_range(5, {0, 10}), 0.5f);
    EXPECT_EQ(map_to_range(5, {2, 2}), 0.f);
}

TEST(ColorMap, automatic_range_is_round_and_ignores_a_few_outliers) {
    std::vector<float> values(1000, 0.5f);
    values[10] = 3.7f, values[20] = 3.6f, values[30] = 500, values[40] = std::numeric_limits<float>::infinity();
    std::fill(values.begin() + 100, values.begin() + 150, 2.9f);
    EXPECT_EQ(automatic_range(values), (std::array<double, 2>{0, 3}));
    EXPECT_EQ(automatic_range({}), (std::array<double, 2>{0, 1}));
    EXPECT_EQ(automatic_range(std::vector<float>{-0.7f, -0.2f}), (std::array<double, 2>{-0.8, 0}));
}

TEST(ColorMap, symmetric_range_follows_what_is_above_zero) {
    EXPECT_EQ(symmetric_range(std::vector<float>{-50, 0.3f, 2.5f}, 1), (std::array<double, 2>{-3, 3}));
    EXPECT_EQ(symmetric_range(std::vector<float>{-50, 0.3f}, 1), (std::array<double, 2>{-1, 1}));
    EXPECT_EQ(symmetric_range({}, 1), (std::array<double, 2>{-1, 1}));
}

}  // namespace
}  // namespace spindrift::image
