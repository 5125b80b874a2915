// Fog of fine drops in the air.

#include "spindrift/render/fog.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift::render {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// A cube of a metre, with an extinction of 2 1/m.
Fog cube() {
    std::vector<Vec3f> x;
    constexpr int side = 40;
    for (int n = 0; n < side * side * side; ++n)
        x.push_back((vec_cast<float>(Vec3i{n % side, n / side % side, n / side / side}) + Vec3f{0.5f, 0.5f, 0.5f}) /
                    side);
    const std::vector<float> taken(x.size(), 2.f / static_cast<float>(x.size()));
    return {x, taken, 0.1f};
}

TEST(FogTest, lets_as_much_light_pass_as_its_extinction_says) {
    const Fog fog = cube();
    // The border is a cell wide, and has as much as a sharp one.
    EXPECT_NEAR(fog.along({0.5f, 0.5f, -3}, {0, 0, 1}, infinite, 0.5f).left, std::exp(-2.f), 0.01f);
    EXPECT_NEAR(fog.along({0.5f, 0.5f, -3}, {0, 0, 1}, 3.5f, 0.5f).left, std::exp(-1.f), 0.02f) << "to the middle";
    EXPECT_EQ(fog.along({2.5f, 0.5f, -3}, {0, 0, 1}, infinite, 0.5f).left, 1) << "beside it";
    EXPECT_EQ(fog.along({0.5f, 0.5f, -3}, {0, 0, -1}, infinite, 0.5f).left, 1) << "behind";
    EXPECT_NEAR(fog.extinction({0.5f, 0.5f, 0.5f}), 2, 0.02);
    // Half of what is scattered is scattered before ln(2 / (1 + e^-2)) / 2 m.
    EXPECT_NEAR(fog.along({0.5f, 0.5f, -3}, {0, 0, 1}, infinite, 0.5f).distance, 3.34f, 0.05f);
}

TEST(FogTest, leaves_out_what_is_not_a_number_and_is_never_too_large) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Vec3f> x{{nan, 0, 0}, {0, 0, 0}, {1000, 1000, 1000}};
    const std::vector<float> taken{1, 1, 1};
    const Fog fog(x, taken, 0.01f);
    EXPECT_GT(fog.extinction({0, 0, 0}), 0);
    EXPECT_EQ(Fog({}, {}, 0.1f).along({0, 0, 0}, {0, 0, 1}, infinite, 0.5f).left, 1);
}

}  // namespace
}  // namespace spindrift::render
