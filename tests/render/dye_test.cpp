// Colour inside of clear liquids.

#include "spindrift/render/dye.h"

#include <cmath>
#include <limits>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr Box3f tank{{0, 0, 0}, {1, 1, 1}};

/// Red-absorbing where x is below the middle, nothing beyond.
Dye half_dyed(Vec3f absorption) {
    Dye dye(dye_grid(tank, 0.1f));
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 20; ++j)
            for (int k = 0; k < 20; ++k) {
                const auto at = [](int n) { return (static_cast<float>(n) + 0.5f) / 20; };
                dye.add({at(i), at(j), at(k)}, i < 10 ? absorption : Vec3f{});
            }
    dye.finish({});
    return dye;
}

TEST(Dye, takes_as_much_light_as_lies_on_the_way) {
    const Dye dye = half_dyed({4, 2, 0});
    const Vec3f along = dye.depth({0.5f, 0.1f, 0.5f}, {0.5f, 0.9f, 0.5f});
    // In the middle half of it: the grid blends between the two sides.
    EXPECT_NEAR(along.x, 0.8f * 2, 0.05f);
    const Vec3f across = dye.depth({0, 0.5f, 0.5f}, {1, 0.5f, 0.5f});
    EXPECT_NEAR(across.x, 0.5f * 4, 0.05f);
    EXPECT_NEAR(across.y, 0.5f * 2, 0.05f);
    EXPECT_EQ(across.z, 0);
    EXPECT_EQ(dye.depth({0.2f, 0.2f, 0.2f}, {0.2f, 0.2f, 0.2f}), Vec3f{});
    EXPECT_NEAR(dye.depth({-1, 0.5f, 0.5f}, {0, 0.5f, 0.5f}).x, 4, 0.1f) << "beyond the grid its edge goes on";
}

TEST(Dye, has_no_more_cells_than_memory_stands) {
    const DyeGrid grid = dye_grid({{0, 0, 0}, {1e4f, 1e4f, 1e4f}}, 1e-3f);
    const double cells = static_cast<double>(grid.size.x) * grid.size.y * grid.size.z;
    EXPECT_LE(cells, 4.2e6);
    EXPECT_GE(static_cast<double>(grid.cell) * grid.size.x, 1e4);
}

TEST(Dye, leaves_out_what_is_not_a_number) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    Dye dye(dye_grid(tank, 0.5f));
    dye.add({nan, 0, 0}, {1, 1, 1});
    dye.add({0.5f, 0.5f, 0.5f}, {nan, 0, 0});
    dye.finish({3, 3, 3});
    EXPECT_EQ(dye.at({0.5f, 0.5f, 0.5f}), (Vec3f{3, 3, 3}));
    EXPECT_EQ(dye.depth({nan, 0, 0}, {1, 1, 1}), Vec3f{});
}

TEST(Dye, colours_the_side_of_a_tank_where_it_is) {
    const geometry::Mesh mesh = plain_box({{0, 0, 0}, {1, 1, 1}});
    const Dye dye = half_dyed({0, 6, 6});
    RenderScene scene{.radius = 0.01f};
    scene.uniform_light = Vec3f{0.6f, 0.6f, 0.6f};
    scene.liquids = {{.mesh = &mesh, .looks = {{.color = {1, 1, 1}, .glow = 0}}, .dye = &dye}};
    const geometry::Camera front{.position = {0.5, 0.5, 4}, .target = {0.5, 0.5, 0}};
    const Image image = render(scene, front, {.resolution = {64, 48}, .samples = 4}).image;
    const Vec3f left = image.at(28, 24), right = image.at(36, 24);
    EXPECT_GT(left.x, 5 * left.y) << "only red comes through six depths of dye";
    EXPECT_NEAR(right.x, right.y, 0.1f);
}

TEST(Dye, what_is_cloudy_scatters_as_much_as_there_is_on_the_way) {
    Dye dye(dye_grid(tank, 0.1f));
    EXPECT_FALSE(dye.is_cloudy());
    for (int i = 0; i < 20; ++i)
        dye.add({0.025f + 0.05f * static_cast<float>(i), 0.5f, 0.5f}, {1, 2, 3}, i < 10 ? 6.f : 0.f);
    dye.finish({});
    EXPECT_TRUE(dye.is_cloudy());
    const Dye::Haze along = dye.haze({0.05f, 0.5f, 0.5f}, {0.35f, 0.5f, 0.5f});
    EXPECT_NEAR(along.scattered, 6 * 0.3f, 0.1f);
    EXPECT_NEAR(along.absorbed.y, 2 * 0.3f, 0.05f);
    EXPECT_EQ(dye.haze({1, 1, 1}, {1, 1, 1}).scattered, 0);
}

TEST(Dye, paints_have_their_colours_and_mix_darker) {
    const Vec3f blue{0.1f, 0.3f, 0.8f}, yellow{0.9f, 0.8f, 0.1f};
    const Vec3f back = deep_color(paint_absorption(blue) * 40.f, 40);
    for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(back[c], blue[c], 1e-4f);
    const Vec3f green = deep_color(paint_absorption(blue) + paint_absorption(yellow), 2);
    EXPECT_GT(green.y, 1.5f * green.x);
    EXPECT_GT(green.y, 1.5f * green.z);
    EXPECT_EQ(deep_color({0, 0, 0}, 1).x, 1);
}

}  // namespace
}  // namespace spindrift::render
