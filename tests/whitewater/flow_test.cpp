// The surface and the velocity that whitewater sees of particles.

#include "spindrift/whitewater/flow.h"

#include <memory>

#include <gtest/gtest.h>

#include "spindrift/whitewater/made_liquid.h"

namespace spindrift::whitewater {
namespace {

constexpr double d = 0.02;
constexpr float h = 0.04f;

bool everywhere(Vec3f) {
    return true;
}

TEST(FlowTest, depths_below_a_flat_surface_are_exact) {
    MadeLiquid pool(d, {{0, 0, 0}, {0.8f, 0.3f, 0.8f}}, everywhere, [](Vec3f) { return Vec3f{1, 0, 0}; });
    pool.look({});
    // An eighth of a cell: sums over a lattice stand for integrals.
    for (const float depth : {-0.03f, -0.015f, 0.f, 0.01f, 0.03f}) {
        const Flow::Sample here = pool.flow.at({0.4f, 0.3f + depth, 0.41f});
        EXPECT_NEAR(here.phi, depth, h / 8) << depth;
        EXPECT_NEAR(here.v.x, 1, 1e-4) << depth;
    }
    const Flow::Surface top = pool.flow.surface_at({0.4f, 0.3f, 0.41f});
    EXPECT_NEAR(top.slope.y, 1, 0.15) << "between two cells";
    EXPECT_EQ(pool.flow.at({0.4f, 1, 0.4f}).phi, pool.flow.far());
    EXPECT_EQ(pool.flow.at({4e8f, 1, 0.4f}).phi, pool.flow.far());
}

TEST(FlowTest, liquid_at_a_wall_has_no_surface_there) {
    MadeLiquid pool(d, {{0, 0, 0}, {0.4f, 0.3f, 0.4f}}, everywhere, [](Vec3f) { return Vec3f{}; });
    pool.walls.boxes.push_back({{0, 0, 0}, {10, 100, 10}, {}, false});
    pool.look({});
    EXPECT_LT(pool.flow.at({0.2f, 0.005f, 0.2f}).phi, -h / 2) << "at the bottom";
    EXPECT_LT(pool.flow.at({0.005f, 0.15f, 0.2f}).phi, -h / 2) << "at a side";
    EXPECT_LT(pool.flow.at({0.005f, 0.005f, 0.005f}).phi, -h / 2) << "in a corner";
    EXPECT_NEAR(pool.flow.at({0.01f, 0.3f, 0.2f}).phi, 0, h / 4) << "the surface reaches the wall";
    EXPECT_GT(pool.flow.at({0.01f, 0.42f, 0.2f}).phi, h / 2) << "a dry wall is air";
}

TEST(FlowTest, a_sheet_of_one_layer_is_shallow) {
    MadeLiquid sheet(d, {{0, 0, 0}, {0.8f, 0.019f, 0.8f}}, everywhere, [](Vec3f) { return Vec3f{}; });
    sheet.look({});
    const float phi = sheet.flow.at({0.4f, 0.01f, 0.4f}).phi;
    EXPECT_LT(phi, h / 4);
    EXPECT_GT(phi, -h / 2);
}

TEST(FlowTest, a_fast_sheet_is_seen_once_between_frames) {
    const auto wall_of_water = [](float at) {
        return std::make_unique<MadeLiquid>(d, Box3f{{at, 0, 0}, {at + 0.2f, 0.4f, 0.4f}}, everywhere, [](Vec3f) {
            return Vec3f{12, 0, 0};
        });
    };
    const auto before = wall_of_water(0), after = wall_of_water(0.5f);
    before->look({});
    after->look({});
    FlowReader flow({before->flow, after->flow, 0.5f / 12});
    EXPECT_LT(flow.at({0.35f, 0.2f, 0.2f}, 0.5f, {12, 0, 0}).phi, -h) << "halfway";
    EXPECT_GT(flow.at({0.1f, 0.2f, 0.2f}, 0.5f, {12, 0, 0}).phi, 0) << "not where it was";
    EXPECT_NEAR(flow.at({0.35f, 0.2f, 0.2f}, 0.5f, {12, 0, 0}).v.x, 12, 1e-3);
}

}  // namespace
}  // namespace spindrift::whitewater
