// Where light of 1 comes from everywhere, white things are as bright as what is behind them, and clear ones that absorb
// nothing cannot be seen.

#include <array>
#include <cmath>
#include <vector>

#include "bodies.h"
#include "shapes.h"
#include <gtest/gtest.h>

#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr Vec3f white{1, 1, 1};

/// All the ways to make a picture of a scene in the furnace.
void expect_invisible(const RenderScene& scene, const geometry::Camera& camera) {
    for (const Quality quality : {Quality::draft, Quality::final}) {
        for (const bool denoise : {false, true}) {
            RenderParams params = quick_params(quality == Quality::draft ? 1 : 8);
            params.quality = quality;
            params.denoise = denoise;
            const Picture picture = render(scene, camera, params);
            const auto [least, most] = least_and_most(picture.layers->light.pixels);
            EXPECT_GT(least, 0.99f) << "quality " << static_cast<int>(quality) << " denoise " << denoise;
            EXPECT_LT(most, 1.01f) << "quality " << static_cast<int>(quality) << " denoise " << denoise;
            EXPECT_GT(sum_of(picture.layers->alpha), 300) << "something is in the picture";
        }
    }
}

TEST(Furnace, a_white_ball_is_as_bright_as_what_is_behind_it) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &mesh, .color = white}};
    expect_invisible(scene, camera_at(3));
}

TEST(Furnace, coarse_faces_with_smooth_normals_lose_no_light) {
    // Light that a smoothed normal would have from behind the face comes from before it.
    geometry::Mesh mesh = torus(16, 10);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &mesh, .scale = 0.5, .color = white}};
    expect_invisible(scene, {.position = {0, 2, 2.5}, .target = {}});
}

TEST(Furnace, a_white_ball_on_a_white_floor_has_no_shadow) {
    const geometry::Mesh mesh = smooth_ball({0, 0.5, 0}, 0.5);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &mesh, .color = white}};
    scene.ground = 0.0;
    scene.floor.color = white;
    expect_invisible(scene, {.position = {0, 1.2, 3}, .target = {0, 0.3, 0}});
}

TEST(Furnace, white_particles_are_as_bright_as_what_is_behind_them) {
    std::vector<Vec3f> x, colors;
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 5; ++k)
            x.push_back({0.2f * static_cast<float>(i - 2), 0.2f * static_cast<float>(k - 2), 0});
    }
    colors.assign(x.size(), white);
    RenderScene scene = furnace();
    scene.positions = x, scene.colors = colors, scene.radius = 0.12f;
    expect_invisible(scene, camera_at(3));
}

TEST(Furnace, coloured_things_have_their_colour_once) {
    // A lone ball sees nothing but light of 1.
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    const Vec3f color{0.8f, 0.4f, 0.1f};
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &mesh, .color = color}};
    const Picture picture = render(scene, camera_at(3), quick_params());
    EXPECT_LT(length(picture.layers->light.at(32, 24) - color), 1e-4f);
    EXPECT_LT(length(picture.layers->albedo[picture.layers->index(32, 24)] - color), 1e-4f);
}

TEST(Furnace, water_that_absorbs_nothing_is_not_seen) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    RenderScene scene = furnace();
    scene.liquids = {{.mesh = &mesh, .looks = {lossless}}};
    expect_invisible(scene, camera_at(3));
}

TEST(Furnace, colourless_glass_is_not_seen) {
    const geometry::Mesh mesh = smooth_ball({}, 0.5);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &mesh, .opacity = 0}};
    expect_invisible(scene, camera_at(3));
    scene.meshes[0].thin = true;
    expect_invisible(scene, camera_at(3));
}

TEST(Furnace, water_that_reaches_into_the_wall_of_a_glass_is_not_seen) {
    const geometry::Mesh glass = shell(0.5, 0.45), water = smooth_ball({}, 0.475);
    RenderScene scene = furnace();
    scene.meshes = {{.mesh = &glass, .opacity = 0}};
    scene.liquids = {{.mesh = &water, .looks = {lossless}}};
    expect_invisible(scene, camera_at(3));
}

TEST(Furnace, cloudy_white_liquid_on_a_white_floor_is_not_seen) {
    const geometry::Mesh pool = plain_box({{-0.5, 0, -0.5}, {0.5, 0.3, 0.5}});
    LiquidLook milk = lossless;
    milk.cloudiness = 0.5f;
    RenderScene scene = furnace();
    scene.liquids = {{.mesh = &pool, .looks = {milk}}};
    scene.ground = 0.0;
    scene.floor.color = white;
    expect_invisible(scene, {.position = {0, 1.2, 3}, .target = {0, 0.1, 0}});
}

/// Mean light of a slab of liquid, seen straight on.
Vec3f slab_light(double thickness, const LiquidLook& look) {
    const geometry::Mesh slab = plain_box({{-1, -1, 0}, {1, 1, thickness}});
    RenderScene scene = furnace();
    scene.liquids = {{.mesh = &slab, .looks = {look}}};
    RenderParams params = quick_params(32);
    params.quality = Quality::final;  // others leave faint mirrors out
    return mean(render(scene, camera_at(6, 2), params).layers->light.pixels);
}

TEST(Absorption, a_slab_sends_back_and_through_what_the_series_of_its_mirrorings_says) {
    // Of light 1 from the camera's side R is mirrored. What goes in, 1 - R, arrives as (1 - R) a at the far face, where
    // 1 - R of it leaves and R goes on inside, to lose as much again: (1 - R)^2 a (1 + R a + (R a)^2 + ...). By
    // reciprocity these are the shares of the lights of 1 behind and before the slab that the camera sees.
    const double thickness = 0.7;
    const LiquidLook look{.color = {0.8f, 0.5f, 0.2f}, .clarity = 0.5f, .glow = 0};
    const Vec3f seen = slab_light(thickness, look);
    const double R = textbook_fresnel(0, 1, 1.333);
    for (int c = 0; c < 3; ++c) {
        const double a = std::pow(static_cast<double>(look.color[c]), thickness / 0.5);
        const double expected = R + (1 - R) * (1 - R) * a / (1 - R * a);
        EXPECT_NEAR(static_cast<double>(seen[c]), expected, 0.01 * expected) << c;
    }
}

TEST(Absorption, twice_the_thickness_squares_what_comes_through) {
    // With the index of air nothing is mirrored.
    const LiquidLook look{.color = {0.9f, 0.5f, 0.2f}, .clarity = 0.5f, .ior = 1, .glow = 0};
    const Vec3f once = slab_light(0.4, look), twice = slab_light(0.8, look);
    for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(twice[c], once[c] * once[c], 0.002f * twice[c]) << "but for the angle of view of one degree";
}

TEST(Absorption, glow_gives_back_its_share_of_what_is_taken) {
    const LiquidLook look{.color = {0.5f, 0.5f, 0.5f}, .clarity = 0.5f, .ior = 1, .glow = 0.6f};
    // Half is left, and of the other half 0.6 of the liquid's colour.
    EXPECT_NEAR(slab_light(0.5, look).x, 0.5f + 0.5f * 0.5f * 0.6f, 1e-3f);
}

}  // namespace
}  // namespace spindrift::render
