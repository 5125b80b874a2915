// What sinks and rises between particles that stand still, beside theory.

#include "spindrift/fluid/settling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "still.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace spindrift::pbf {
namespace {

/// Grains in water, by the speed of one alone.
fluid::Component grains(const char* name, double speed, double most, double hindrance) {
    return {.channel = name, .grains = fluid::Grains{.speed = speed, .most = most, .hindrance = hindrance}};
}

fluid::Mixture sand(double speed, double most = 0.64, double hindrance = 4.65) {
    return {.components = {grains("mix_sand", speed, most, hindrance), {.channel = "mix_water"}}};
}

auto everywhere(double share) {
    return [=](Vec3d, std::size_t) { return std::vector<double>{share, 1 - share}; };
}

/// Height of a column whose particles fill it evenly.
double height_of(const Still& still) {
    double sum = 0;
    for (std::size_t i = 0; i < still.size(); ++i)
        sum += still.place(i).y;
    return 2 * sum / static_cast<double>(still.size());
}

struct FrontResult {
    double speed;    ///< of the clear water's front over that of a grain alone
    double highest;  ///< share anywhere
};

/// V10: how fast clear water comes down, from how much of the grains has passed the middle.
FrontResult settle_column(const std::vector<Vec3d>& points, double share, double speed) {
    Still still(points, sand(speed));
    still.begin(everywhere(share));
    const std::int64_t total = still.total(0);
    const double height = height_of(still), band = 6 * d;
    // The amount above the middle falls by what flows through there: w C (1 - C)^n, while neither the front nor what
    // the bed sends up is there. Particles stand a little closer there than elsewhere.
    std::size_t near = 0;
    for (std::size_t i = 0; i < still.size(); ++i)
        near += std::abs(still.place(i).y - 0.5 * height) < band;
    const double per_metre = static_cast<double>(near) / (2 * band);
    const auto above = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < still.size(); ++i)
            sum += still.place(i).y > 0.5 * height ? static_cast<double>(still.share(i, 0)) : 0;
        return sum / (per_metre * share);
    };
    const double expected = speed * std::pow(1 - share, 4.65), way = 0.15 * height;
    const double before = above();
    still.run(way / expected, 200);
    FrontResult result{};
    result.speed = (before - above()) / way * std::pow(1 - share, 4.65);
    EXPECT_EQ(still.total(0), total) << "nothing is lost, to the last bit";
    EXPECT_TRUE(still.is_whole());
    for (std::size_t i = 0; i < still.size(); ++i)
        result.highest = std::max(result.highest, static_cast<double>(still.share(i, 0)));
    return result;
}

TEST(Settling, grains_sink_as_Stokes_and_as_Ferguson_and_Church_say) {
    // S4: quartz of 0.05 mm in water at 20 degrees.
    const fluid::Grains quartz{.radius = 5e-5, .density = 2650};
    const fluid::Carrier water_at_20{.density = 998.2, .viscosity = 1.002e-3 / 998.2};
    const double stokes = fluid::settling_speed(quartz, water_at_20, 9.81, fluid::SettlingLaw::stokes);
    EXPECT_NEAR(stokes, 8.982e-3, 1e-3 * 8.982e-3) << "2/9 r^2 (rho_s - rho) g / mu";
    EXPECT_NEAR(fluid::settling_speed(quartz, water_at_20, 9.81, fluid::SettlingLaw::ferguson_church), 7.53e-3, 1e-5);
    EXPECT_LT(fluid::reynolds_number(quartz, water_at_20, stokes), 1);
    // Coarse sand, in m/s: Ferguson and Church 71 mm/s at half a millimetre, Stokes 224.
    const fluid::Grains coarse{.radius = 2.5e-4, .density = 2650};
    EXPECT_NEAR(fluid::settling_speed(coarse, water_at_20, 9.81, fluid::SettlingLaw::ferguson_church), 0.071, 1e-3);
    EXPECT_NEAR(fluid::settling_speed(coarse, water_at_20, 9.81, fluid::SettlingLaw::stokes), 0.224, 2e-3);
    // Oil drops rise; nothing falls without gravity.
    EXPECT_LT(fluid::settling_speed({.radius = 1e-4, .density = 900}, water_at_20, 9.81, {}), 0);
    EXPECT_EQ(fluid::settling_speed(quartz, water_at_20, 0, {}), 0);
}

TEST(Settling, clear_water_comes_down_as_Richardson_and_Zaki_say) {
    const double speed = 0.02;
    const Vec3i size{10, 50, 10};
    const std::vector<Vec3d> settled = settled_column(size);
    for (const double share : {0.05, 0.1, 0.2, 0.3, 0.4}) {
        const double theory = std::pow(1 - share, 4.65);
        const FrontResult result = settle_column(settled, share, speed);
        fmt::print("V10 S1 settled, C {:.2f}: {:+.2f} % of w0 (1 - C)^n = {:.4f}, at most {:.4f}\n", share,
                   100 * (result.speed / theory - 1), theory, result.highest);
        // Pairs make up for what is missing behind walls to about a hundredth; how close particles stand is known to
        // another.
        EXPECT_NEAR(result.speed, theory, 0.02 * theory) << share;
        EXPECT_LE(result.highest, 0.64 + 1e-6) << share;
    }
    const FrontResult jittered = settle_column(lattice(size, 0.25), 0.2, speed);
    fmt::print("V10 S1 jitter, C 0.20: {:+.2f} %\n", 100 * (jittered.speed / std::pow(0.8, 4.65) - 1));
    EXPECT_NEAR(jittered.speed, std::pow(0.8, 4.65), 0.04 * std::pow(0.8, 4.65));
}

TEST(Settling, half_of_a_tank_fills_and_the_other_half_clears) {
    // S2, figure 20 of the thesis: 50 % everywhere, no hindrance, room for 100 %.
    Still still(settled_column({8, 32, 8}), sand(0.1, 1, 1));
    still.begin(everywhere(0.5));
    const std::int64_t total = still.total(0);
    const double height = height_of(still);
    still.run(5 * height / 0.1, 500);
    double above = 0, below = 0;
    std::size_t count_above = 0, count_below = 0;
    for (std::size_t i = 0; i < still.size(); ++i) {
        const double y = still.place(i).y, share = static_cast<double>(still.share(i, 0));
        if (y > 0.5 * height + 3 * d) above += share, ++count_above;
        if (y < 0.5 * height - 3 * d) below += share, ++count_below;
    }
    fmt::print("S2: {:.5f} above, {:.5f} below\n", above / static_cast<double>(count_above),
               below / static_cast<double>(count_below));
    EXPECT_LT(above / static_cast<double>(count_above), 0.01);
    EXPECT_GT(below / static_cast<double>(count_below), 0.99);
    EXPECT_EQ(still.total(0), total);
    EXPECT_TRUE(still.is_whole()) << "nobody has more than 1, and water gave all it had and no more";
}

TEST(Settling, light_and_heavy_sort_themselves) {
    // S3: red rises and green sinks through water: all of it mixed below, water above.
    fluid::Mixture mixture{
        .components = {grains("mix_red", -0.1, 1, 1), grains("mix_green", 0.1, 1, 1), {.channel = "mix_water"}}};
    Still still(settled_column({8, 32, 8}), mixture);
    const double height = height_of(still);
    still.begin([&](Vec3d x, std::size_t) {
        return x.y < 0.5 * height ? std::vector<double>{0.5, 0.5, 0} : std::vector<double>{0, 0, 1};
    });
    std::array<std::int64_t, 3> totals{still.total(0), still.total(1), still.total(2)};
    still.run(5 * height / 0.1, 500);
    std::array<double, 3> right{};
    for (std::size_t i = 0; i < still.size(); ++i) {
        const double y = still.place(i).y / height;
        right[0] += y > 0.75 ? static_cast<double>(still.share(i, 0)) : 0;
        right[1] += y < 0.25 ? static_cast<double>(still.share(i, 1)) : 0;
        right[2] += y > 0.25 && y < 0.75 ? static_cast<double>(still.share(i, 2)) : 0;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(still.total(k), totals[k]);
        const double share = right[k] / (static_cast<double>(totals[k]) / 16777216);
        fmt::print("S3: {:.4f} of component {} is where it belongs\n", share, k);
        EXPECT_GT(share, 0.98) << k;
    }
    EXPECT_TRUE(still.is_whole());
}

TEST(Settling, beds_are_full_and_no_fuller_whatever_settles_into_them) {
    // Coarse and fine sand and drops that rise, in a jitter with clumps.
    fluid::Mixture mixture{.components = {grains("mix_sand", 0.1, 0.6, 4.65),
                                          grains("mix_silt", 0.02, 0.5, 3),
                                          grains("mix_oil", -0.05, 0.7, 2),
                                          {.channel = "mix_water", .diffusivity = 0}}};
    Still still(lattice({8, 24, 8}, 0.5), mixture);
    still.begin([](Vec3d, std::size_t) { return std::vector<double>{0.15, 0.15, 0.1, 0.6}; });
    for (int round = 0; round < 4; ++round) {
        still.run(3, 50);
        double fullest = 0;
        for (std::size_t i = 0; i < still.size(); ++i) {
            double filled = 0;
            for (std::size_t k = 0; k < 3; ++k)
                filled += static_cast<double>(still.share(i, k)) / mixture.components[k].grains->most;
            fullest = std::max(fullest, filled);
        }
        EXPECT_LT(fullest, 1 + 1e-5);
        ASSERT_TRUE(still.is_whole());
    }
}

TEST(Settling, sinks_as_far_in_many_steps_as_in_few) {
    std::vector<double> heights;
    for (const int steps : {10, 100, 1000}) {
        Still still(lattice({8, 40, 8}, 0.2), sand(0.05));
        still.begin(everywhere(0.1));
        still.run(2, steps);
        double sum = 0, all = 0;
        for (std::size_t i = 0; i < still.size(); ++i) {
            sum += static_cast<double>(still.share(i, 0)) * still.place(i).y;
            all += static_cast<double>(still.share(i, 0));
        }
        heights.push_back(sum / all);
    }
    // Passes are at most half a spacing long, and wait until they are a twentieth.
    for (const double height : heights)
        EXPECT_NEAR(height, heights[0], 0.3 * d);
}

TEST(Settling, goes_along_gravity_and_not_at_all_without) {
    Still still(lattice({30, 8, 8}, 0.2), sand(0.1));
    still.begin(everywhere(0.2));
    still.gravity = {};
    still.run(1, 20);
    for (std::size_t i = 0; i < still.size(); ++i)
        ASSERT_EQ(still.share(i, 0), still.share(0, 0));
    still.gravity = {3, 0, 0};
    still.run(1, 20);
    double near = 0, far = 0;
    for (std::size_t i = 0; i < still.size(); ++i)
        (still.place(i).x < 5 * d ? near : far) +=
            still.place(i).x < 5 * d || still.place(i).x > 25 * d ? static_cast<double>(still.share(i, 0)) : 0;
    EXPECT_LT(near, 0.5 * far);
}

}  // namespace
}  // namespace spindrift::pbf
