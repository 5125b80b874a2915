// Cameras in odd places, bodies that are broken, and pictures that are shown while they are made.

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

bool is_sound(const Picture& picture) {
    const Layers& layers = *picture.layers;
    for (std::size_t i = 0; i < layers.light.pixels.size(); ++i) {
        const Vec3f light = layers.light.pixels[i];
        if (!is_finite(light) || std::min({light.x, light.y, light.z}) < 0) return false;
        if (!is_finite(picture.image.pixels[i]) || !is_finite(layers.normal[i]) || !is_finite(layers.albedo[i]))
            return false;
        if (!(layers.alpha[i] >= 0 && layers.alpha[i] <= 1) || std::isnan(layers.depth[i])) return false;
    }
    return true;
}

TEST(Eye, in_the_liquid_sees_blue_green_and_knows_it) {
    const geometry::Mesh pool = plain_box({{-3, 0, -3}, {3, 2, 3}});
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.floor.tiles = 0.5;
    scene.liquids = {{.mesh = &pool}};
    RenderStatistics statistics;
    const Picture under =
        render(scene, {.position = {0, 1, 2}, .target = {0, 0.6, 0}}, quick_params(8), {.statistics = &statistics});
    EXPECT_TRUE(statistics.eye_in_liquid);
    EXPECT_TRUE(is_sound(under));
    const Vec3f color = mean(under.layers->light.pixels);
    EXPECT_GT(luminance(color), 0.05f);
    EXPECT_GT(color.y, 1.3f * color.x) << "water takes red light first";
    EXPECT_GT(color.z, 1.3f * color.x);
    render(scene, {.position = {0, 3, 6}, .target = {}}, quick_params(1), {.statistics = &statistics});
    EXPECT_FALSE(statistics.eye_in_liquid);
}

TEST(Eye, that_looks_up_from_below_sees_the_sky_in_a_round_window) {
    // Beyond the critical angle of 48.6 degrees the surface mirrors the dark floor.
    const geometry::Mesh pool = plain_box({{-40, 0, -40}, {40, 2, 40}});
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.floor.color = {};
    scene.liquids = {{.mesh = &pool, .looks = {lossless}}};
    geometry::Camera camera{.position = {0, 1, 0}, .target = {0, 2, 0}, .up = {0, 0, -1}, .fov_deg = 120};
    const Image light = render(scene, camera, quick_params(8)).layers->light;
    const geometry::View view(camera, {64, 48});
    for (int x = 0; x < 64; ++x) {
        const float angle = std::acos(view.ray(static_cast<float>(x) + 0.5f, 24).y) * 180 / static_cast<float>(pi);
        if (angle < 44) {
            EXPECT_GT(luminance(light.at(x, 24)), 0.15f) << angle;
        }
        if (angle > 52) {
            EXPECT_LT(luminance(light.at(x, 24)), 0.02f) << angle;
        }
    }
}

TEST(Eye, far_away_and_far_from_the_origin_sees_finite_light) {
    const geometry::Mesh ball = smooth_ball({}, 0.5);
    RenderScene scene{.radius = 0.01f, .ground = -0.5};
    scene.liquids = {{.mesh = &ball}};
    EXPECT_TRUE(is_sound(render(scene, {.position = {1e5, 1e5, 1e5}, .target = {}}, quick_params(1))));
    scene.liquids[0].pose.position = {1e6, 0, -1e6};
    const Picture far = render(scene, {.position = {1e6, 1, -1e6 + 3}, .target = {1e6, 0, -1e6}}, quick_params());
    EXPECT_TRUE(is_sound(far));
    EXPECT_EQ(far.layers->id[far.layers->index(32, 24)], body_id::first_liquid);
    const std::vector<Vec3f> x{{1e6f, 1e6f, 1e6f}, {-1e30f, 0, 0}, {nan, 0, 0}};
    RenderScene particles{.positions = x, .radius = 1, .ground = 0.0};
    EXPECT_TRUE(
        is_sound(render(particles, {.position = {1e6, 1e6, 1e6 + 5}, .target = {1e6, 1e6, 1e6}}, quick_params(1))));
}

TEST(Eye, does_not_mind_broken_meshes) {
    geometry::Mesh broken = smooth_ball({}, 0.5);
    for (std::size_t i = 0; i < broken.points.size(); i += 7)
        broken.points[i] = {nan, 0, std::numeric_limits<float>::infinity()};
    for (std::size_t t = 0; t < broken.triangles.size(); t += 5)
        broken.triangles[t][1] = broken.triangles[t][0];
    for (std::size_t i = 0; i < broken.attributes[0].values.size(); i += 11)
        broken.attributes[0].values[i] = nan;
    geometry::Mesh flat;
    flat.points = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1e30f, -1e30f, 1e30f}};
    flat.triangles = {{0, 1, 2}, {0, 0, 0}, {1, 2, 3}};
    for (const geometry::Mesh* mesh : {&broken, &flat}) {
        RenderScene scene{.radius = 0.01f, .ground = -0.5};
        scene.liquids = {{.mesh = mesh}};
        scene.meshes = {{.mesh = mesh, .opacity = 0.3f}, {.mesh = mesh, .pose = {.position = {1, 0, 0}}}};
        EXPECT_TRUE(is_sound(render(scene, camera_at(3), quick_params(2))));
    }
}

TEST(Eye, inside_of_a_body_or_on_its_surface_sees_finite_light) {
    const geometry::Mesh ball = smooth_ball({}, 0.5);
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.meshes = {{.mesh = &ball}};
    EXPECT_TRUE(is_sound(render(scene, {.position = {0, 0.1, 0}, .target = {0, 1, 0}}, quick_params(2))));
    scene.meshes.clear();
    scene.liquids = {{.mesh = &ball}};
    EXPECT_TRUE(is_sound(render(scene, {.position = {0, 0, 0.5}, .target = {}}, quick_params(2))));
    EXPECT_TRUE(is_sound(render(scene, {.position = {0, -2, 0}, .target = {}}, quick_params(2)))) << "below the floor";
}

TEST(Progress, shows_pictures_that_become_twice_as_good) {
    const geometry::Mesh ball = smooth_ball({0, 0.5, 0}, 0.4);
    RenderScene scene{.radius = 0.01f, .ground = 0.0};
    scene.liquids = {{.mesh = &ball}};
    const geometry::Camera camera{.position = {0, 1.5, 3}, .target = {0, 0.3, 0}};
    std::vector<Picture> shown;
    RenderHooks hooks;
    hooks.progress = [&](const Picture& picture) { shown.push_back(picture); };
    const Picture last = render(scene, camera, quick_params(8), hooks);
    ASSERT_EQ(shown.size(), 4u) << "after 1, 2, 4 and 8 samples";
    EXPECT_EQ(shown.back().image.pixels, last.image.pixels);
    const Picture quiet = render(scene, camera, quick_params(8));
    EXPECT_EQ(quiet.image.pixels, last.image.pixels) << "no one who watches changes a picture";
    EXPECT_EQ(quiet.layers->light.pixels, last.layers->light.pixels);
    EXPECT_EQ(quiet.layers->alpha, last.layers->alpha);
    EXPECT_NE(shown[2].image.pixels, last.image.pixels);
}

TEST(Progress, any_number_of_samples_ends_with_them_all) {
    const RenderScene scene{.ground = 0.0};
    for (const int samples : {1, 3, 6}) {
        int calls = 0;
        RenderHooks hooks;
        hooks.progress = [&](const Picture&) { calls += 1; };
        RenderStatistics statistics;
        hooks.statistics = &statistics;
        render(scene, {.position = {0, 1, 3}, .target = {}}, quick_params(samples), hooks);
        EXPECT_EQ(calls, samples == 1 ? 1 : samples == 3 ? 3 : 4) << "1, 2, 3; 1, 2, 4, 6";
        EXPECT_EQ(statistics.primary_rays, static_cast<std::uint64_t>(64 * 48 * samples));
        EXPECT_GE(statistics.rays, statistics.primary_rays);
    }
}

}  // namespace
}  // namespace spindrift::render
