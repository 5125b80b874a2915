// Where whitewater is born, and how much of it.

#include "spindrift/whitewater/emission.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include "figures.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/whitewater/made_liquid.h"

namespace spindrift::whitewater {
namespace {

constexpr double d = 0.02;

double total(const std::array<double, potential_count>& births) {
    return std::accumulate(births.begin(), births.end(), 0.0);
}

TEST(EmissionTest, nothing_is_born_of_a_tank_at_rest) {
    MadeLiquid tank(
        d, {{0, 0, 0}, {0.4f, 0.2f, 0.4f}}, [](Vec3f) { return true; },
        [](Vec3f x) {
            // What solvers leave of the motion: a few millimetres per second.
            return Vec3f{0.005f * std::sin(50 * x.y), 0, 0};
        });
    tank.look({});
    EXPECT_EQ(tank.giving(), 0u);
    tell({"W2", "particles of a tank at rest that give", static_cast<double>(tank.giving()), 0, 0});
}

TEST(EmissionTest, a_ball_that_falls_whole_and_one_that_turns_give_nothing) {
    const auto ball = [](Vec3f x) { return length(x) < 10 * 0.02f; };
    const Box3f box{{-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}};
    MadeLiquid falling(d, box, ball, [](Vec3f) { return Vec3f{0, -5, 0}; });
    falling.look({});
    // Single particles stand out of a ball on a lattice: half a thousandth.
    EXPECT_LE(static_cast<double>(falling.giving()), 0.0005 * static_cast<double>(falling.x.size()) + 1);
    MadeLiquid turning(d, box, ball, [](Vec3f x) { return cross(Vec3f{0, 10, 0}, x); });
    turning.look({});
    EXPECT_EQ(turning.giving(), 0u);
    tell({"W2", "share of a falling ball that gives",
          static_cast<double>(falling.giving()) / static_cast<double>(falling.x.size()), 0.002, 0.0005});
    tell({"W2", "particles of a turning ball that give", static_cast<double>(turning.giving()), 0, 0});
}

/// A layer of particles that goes up at 3 m/s.
MadeLiquid flying_sheet() {
    return MadeLiquid(
        d, {{0, 0, 0}, {0.4f, 0.019f, 0.4f}}, [](Vec3f) { return true; },
        [](Vec3f) {
            return Vec3f{0, 3, 0};
        });
}

TEST(EmissionTest, sheets_and_drops_that_fly_give_spray) {
    WhitewaterParams params;
    params.causes = {Potential::isolation};
    MadeLiquid sheet = flying_sheet();
    sheet.look(params);
    EXPECT_GT(sheet.giving(), sheet.x.size() / 2);
    MadeLiquid film(
        d, {{0, 0, 0}, {0.4f, 0.019f, 0.4f}}, [](Vec3f) { return true; },
        [](Vec3f) {
            return Vec3f{3, 0, 0};
        });
    film.walls.planes.push_back({{0, 1, 0}, 0, {}});
    film.look(params);
    EXPECT_LE(film.giving(), 4u) << "a film that runs along the floor is not torn, but for its corners";
}

TEST(EmissionTest, coarse_liquid_that_flows_smoothly_traps_no_air) {
    // A block of 20 m between two that come nearer, as under a wave: 1 m/s for each metre.
    const auto giving = [](double spacing, std::optional<std::array<double, 2>> speed) {
        WhitewaterParams params;
        params.causes = {Potential::trapped_air};
        params.trapped_air.speed = speed;
        const auto side = static_cast<float>(20 * spacing);
        MadeLiquid block(
            spacing, {{0, 0, 0}, {side, side, side}}, [](Vec3f) { return true; },
            [&](Vec3f x) {
                return Vec3f{5 + 0.5f * side - x.x, x.y - 0.5f * side, 0};
            });
        block.look(params);
        return block.giving();
    };
    EXPECT_EQ(giving(1, {}), 0u);
    EXPECT_EQ(giving(0.05, {}), 0u);
    EXPECT_GT(giving(1, std::array{0.7, 2.5}), 1000u) << "with what finer liquid has";
}

/// Two blocks of water that touch and run into each other at 3 m/s, less and less, as frames of a rate see them.
double born_by_blocks(double fps) {
    std::unique_ptr<MadeLiquid> before;
    double sum = 0;
    const WhitewaterParams params;
    for (int frame = 0; frame <= std::lround(0.75 * fps); ++frame) {
        const auto speed = static_cast<float>(1.5 * std::exp(-frame / fps / 0.25));
        auto now = std::make_unique<MadeLiquid>(
            d, Box3f{{-0.3f, 0, 0}, {0.3f, 0.2f, 0.2f}}, [](Vec3f) { return true; },
            [&](Vec3f x) {
                return Vec3f{x.x < 0 ? speed : -speed, 0, 0};
            });
        now->look(params, frame + 1);
        if (before) sum += total(expected_births(between(*before, *now, 1 / fps, d / 4), params));
        before = std::move(now);
    }
    return sum;
}

TEST(EmissionTest, as_much_is_born_at_24_48_and_96_frames_per_second) {
    const double at_24 = born_by_blocks(24), at_48 = born_by_blocks(48), at_96 = born_by_blocks(96);
    EXPECT_GT(at_96, 1000);
    // Potentials are known at frames and straight lines between them.
    constexpr double tolerance = 0.02;
    tell({"W3", "births at 24 fps off those at 96 by", std::abs(at_24 / at_96 - 1), 0.05, 0.02});
    tell({"W3", "births at 48 fps off those at 96 by", std::abs(at_48 / at_96 - 1), 0.05, 0.02});
    EXPECT_NEAR(at_24 / at_96, 1, tolerance);
    EXPECT_NEAR(at_48 / at_96, 1, tolerance);
}

/// A ridge of water that is thrown up out of a pool, in particles of a size.
double born_by_ridge(double spacing) {
    const auto height = [](float x) { return 0.2f + 0.3f * std::exp(-x * x / 0.03f); };
    const WhitewaterParams params;
    MadeLiquid ridge(
        spacing, {{-0.5f, 0, 0}, {0.5f, 0.52f, 0.32f}}, [&](Vec3f x) { return x.y < height(x.x); },
        [](Vec3f x) {
            return Vec3f{0, x.y > 0.2f ? 8 * (x.y - 0.2f) : 0.f, 0};
        });
    ridge.walls.boxes.push_back({{-0.25f / static_cast<float>(spacing), 0, 0},
                                 {0.25f / static_cast<float>(spacing), 50, 0.16f / static_cast<float>(spacing)},
                                 {},
                                 false});
    ridge.look(params);
    return total(expected_births(between(ridge, ridge, 1 / 24.0, 0.005), params));
}

TEST(EmissionTest, as_much_is_born_of_a_crest_whatever_the_spacing) {
    const double coarse = born_by_ridge(0.02), fine = born_by_ridge(0.01);
    tell({"W4", "births of a ridge at half the spacing off by", std::abs(fine / coarse - 1), 0.4, 0.25});
    EXPECT_GT(coarse, 1000);
    // What a dam break is asked for; with a length of eight spacings it is far off.
    EXPECT_GT(fine / coarse, 0.75);
    EXPECT_LT(fine / coarse, 1.33);
}

TEST(EmissionTest, births_come_as_often_as_they_are_expected) {
    WhitewaterParams params;
    params.causes = {Potential::isolation};
    params.isolation.rate = 0.05;  // far below one per particle and frame
    MadeLiquid sheet(
        d, {{0, 0, 0}, {2, 0.019f, 2}}, [](Vec3f) { return true; },
        [](Vec3f) {
            return Vec3f{0, 3, 0};
        });
    sheet.look(params);
    const EmissionSetup setup = between(sheet, sheet, 1 / 24.0, d / 4);
    const double wanted = total(expected_births(setup, params));
    const std::vector<Birth> births = emit(setup, params);
    EXPECT_GT(wanted, 500);
    EXPECT_NEAR(static_cast<double>(births.size()), wanted, 4 * std::sqrt(wanted)) << "four standard deviations";
}

TEST(EmissionTest, a_jet_is_born_evenly_along_its_path) {
    // Single particles that fly 0.2 m in a frame.
    WhitewaterParams params;
    params.causes = {Potential::isolation};
    params.isolation.rate = 100.0;
    params.spray.scatter = 0;
    const float speed = 4.8f, span = 1 / 24.f;
    MadeLiquid before(
        d, {}, [](Vec3f) { return true; }, [](Vec3f) { return Vec3f{}; });
    MadeLiquid after(
        d, {}, [](Vec3f) { return true; }, [](Vec3f) { return Vec3f{}; });
    for (int k = 0; k < 400; ++k) {
        const Vec3f x{0, 0, 0.1f * static_cast<float>(k)};
        before.add(x, {speed, 0, 0});
        after.add(x + Vec3f{speed * span, 0, 0}, {speed, 0, 0});
    }
    before.look(params);
    after.look(params);
    const std::vector<Birth> births = emit(between(before, after, span, d / 4), params);
    ASSERT_GT(births.size(), 40000u);
    const int bins = 40;  // of a quarter of a spacing
    std::vector<double> count(bins);
    for (const Birth& birth : births) {
        const int bin = std::clamp(static_cast<int>(birth.x.x / (speed * span) * bins), 0, bins - 1);
        count[static_cast<std::size_t>(bin)] += 1;
        EXPECT_LE(std::hypot(birth.x.y, birth.x.z - std::round(birth.x.z * 10) / 10), 0.5 * d + 1e-5);
    }
    const double mean = static_cast<double>(births.size()) / bins;
    // Each parent's births are spread evenly over its way: what is left is a fraction of the 3 % of chance alone.
    double worst = 0;
    for (const double each : count)
        worst = std::max(worst, std::abs(each / mean - 1));
    tell({"W8", "births along a jet, in bins of a quarter spacing, off by", worst, 0.2, 0.07});
    EXPECT_LT(worst, 0.07);
}

TEST(EmissionTest, what_is_born_has_the_colour_of_its_parent) {
    WhitewaterParams params;
    params.causes = {Potential::isolation};
    MadeLiquid sheet = flying_sheet();
    sheet.look(params);
    std::vector<Vec3f> colors;
    for (const Vec3f& x : sheet.x)
        colors.push_back({x.x, 0, x.z});
    EmissionSetup setup = between(sheet, sheet, 1 / 24.0, d / 4);
    for (const Birth& birth : emit(setup, params))
        EXPECT_EQ(birth.color, (Vec3f{1, 1, 1}));
    setup.before.liquid.color = setup.after.liquid.color = colors;
    for (const Birth& birth : emit(setup, params))
        EXPECT_EQ(birth.color, colors[static_cast<std::size_t>(birth.source)]);
}

TEST(EmissionTest, a_mask_that_is_no_channel_is_said) {
    WhitewaterParams params;
    params.trapped_air.mask = "wetnes";
    MadeLiquid tank(
        d, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}}, [](Vec3f) { return true; }, [](Vec3f) { return Vec3f{}; });
    tank.channels.add("wetness", {ScalarType::f32, 1}, tank.x.size());
    try {
        tank.look(params);
        FAIL() << "it was taken";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'wetness'?"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace spindrift::whitewater
