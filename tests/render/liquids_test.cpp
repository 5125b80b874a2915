// Pictures of particles with radii and colours of their own, and cut away.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "draw.h"
#include <gtest/gtest.h>

#include "spindrift/render/annotate/annotations.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr std::array<int, 2> small_picture{160, 120};
constexpr Vec3f red{0.7f, 0.05f, 0.05f}, green{0.05f, 0.5f, 0.05f};

/// Looks along -z at the origin from 4 m.
geometry::Camera front_camera() {
    return {.position = {0, 0, 4}, .target = {0, 0, 0}};
}

RenderParams small_params() {
    return {.resolution = small_picture, .samples = 4};
}

Vec3f color_at(const Image& image, Vec3d place) {
    const geometry::View view(front_camera(), {image.width, image.height});
    const Vec3f p = view.project(view.to_local(place));
    return image.at(static_cast<int>(p.x), static_cast<int>(p.y));
}

bool holds(const Image& image, Vec3f color) {
    return std::ranges::any_of(image.pixels, [&](Vec3f c) { return length(c - color) < 1e-3f; });
}

TEST(Liquids, particles_are_drawn_with_their_own_radii) {
    const std::vector<Vec3f> x{{-0.6f, 0, 0}, {0.6f, 0, 0}};
    const std::vector<float> radii{0.1f, 0.4f};
    const RenderScene scene{.positions = x, .radius = 0.4f, .radii = radii};
    const Image image = draw(scene, front_camera(), small_params()), bare = draw({}, front_camera(), small_params());
    const auto covered = [&](Vec3d place) { return length(color_at(image, place) - color_at(bare, place)) > 0.02f; };
    EXPECT_TRUE(covered({-0.6, 0.05, 0}));
    EXPECT_FALSE(covered({-0.6, 0.2, 0}));
    EXPECT_TRUE(covered({0.6, 0.3, 0}));
    EXPECT_FLOAT_EQ(static_cast<float>(bounds(scene).lo.x), -0.7f);
    EXPECT_FLOAT_EQ(static_cast<float>(bounds(scene).hi.x), 1.0f);
}

TEST(Liquids, radii_that_are_no_radii_hide_a_particle) {
    const std::vector<Vec3f> x{{-0.6f, 0, 0}, {0.6f, 0, 0}, {0, 0.5f, 0}};
    const std::vector<float> radii{0, -1, std::numeric_limits<float>::quiet_NaN()};
    const Image image = draw({.positions = x, .radii = radii}, front_camera(), small_params());
    EXPECT_EQ(image.pixels, draw({}, front_camera(), small_params()).pixels);
}

TEST(Liquids, particles_have_the_colors_they_are_given) {
    const std::vector<Vec3f> x{{-0.6f, 0, 0}, {0.6f, 0, 0}};
    const std::vector<Vec3f> colors{red, green};
    const Image image = draw({.positions = x, .radius = 0.3f, .colors = colors}, front_camera(), small_params());
    const Vec3f left = color_at(image, {-0.6, 0, 0}), right = color_at(image, {0.6, 0, 0});
    EXPECT_GT(left.x, 4 * left.y);
    EXPECT_GT(right.y, 4 * right.x);
}

TEST(Liquids, a_slice_takes_away_what_the_normal_points_to) {
    const std::vector<Vec3f> x{{0, 0, 1}, {0, 0, -1}};
    const std::vector<Vec3f> colors{red, green};
    const RenderScene scene{.positions = x, .radius = 0.4f, .colors = colors};
    RenderParams params = small_params();
    const Vec3f whole = color_at(draw(scene, front_camera(), params), {});
    EXPECT_GT(whole.x, whole.y) << "the red particle is in front";
    params.slice = SlicePlane{.point = {5, 5, 0}, .normal = {0, 0, 3}};
    const Vec3f inside = color_at(draw(scene, front_camera(), params), {});
    EXPECT_GT(inside.y, inside.x) << "the green one was behind it";
    params.slice = SlicePlane{.point = {}, .normal = {0, 0, -1}};
    const Vec3f other_side = color_at(draw(scene, front_camera(), params), {});
    EXPECT_GT(other_side.x, other_side.y);
}

TEST(Liquids, the_legend_lists_names_beside_their_colors) {
    const std::vector<Vec3f> x{{0, 0, 0}};
    const std::vector<Vec3f> colors{red};
    RenderScene scene{.positions = x, .radius = 0.1f, .colors = colors};
    scene.swatches = {{"water", red}, {"a longer name", green}};
    const RenderParams params{.resolution = {480, 270}, .samples = 1};
    const Image image = draw(scene, front_camera(), params);
    EXPECT_TRUE(holds(image, red));
    EXPECT_TRUE(holds(image, green));
    int ink = 0;
    for (int py = 220; py < 270; ++py) {
        for (int px = 0; px < 120; ++px)
            ink += luminance(image.at(px, py)) < 0.05f;
    }
    // Letters of this size have few pixels that are nothing but ink; the frames of the swatches have some 60.
    EXPECT_GT(ink, 100);
}

TEST(Liquids, a_legend_that_does_not_fit_is_left_out) {
    const Image paper(60, 40, {1, 1, 1});
    for (const std::size_t count : {std::size_t{1}, std::size_t{20}}) {
        Image image = paper;
        annotate(image,
                 {.swatches = std::vector<image::Swatch>(count, {count == 1 ? "much too long for this" : "a", red})});
        EXPECT_EQ(image.pixels, paper.pixels);
    }
}

}  // namespace
}  // namespace spindrift::render
