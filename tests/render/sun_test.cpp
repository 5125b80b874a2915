// Sunlight, straight and through water, and the skies.

#include <algorithm>
#include <cmath>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/render/light.h"
#include "spindrift/render/photons.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

RenderScene white_floor() {
    RenderScene scene{.radius = 0.001f, .ground = 0.0};
    scene.floor.color = {1, 1, 1};
    return scene;
}

RenderParams sun_only(SunParams sun, int samples) {
    RenderParams params = quick_params(samples);
    params.sky = Sky::black;
    params.sun = sun;
    return params;
}

TEST(Sun, overhead_gives_a_white_floor_its_light_over_pi) {
    const SunParams sun{.elevation_deg = 90, .strength = 1.5};
    const Picture picture = render(white_floor(), camera_above(2), sun_only(sun, 4));
    const Vec3f expected = Light(Sky::black, sun).sun() / static_cast<float>(pi);
    for (const Vec3f& pixel : picture.layers->light.pixels)
        ASSERT_LT(length(pixel - expected), 2e-3f * length(expected)) << "the disc is a degree wide to all sides";
}

TEST(Sun, at_an_angle_gives_the_cosine) {
    const SunParams sun{.elevation_deg = 30, .size_deg = 0.5};
    const Picture picture = render(white_floor(), camera_above(2), sun_only(sun, 4));
    const float expected = Light(Sky::black, sun).sun().x / static_cast<float>(pi) * 0.5f;
    EXPECT_NEAR(mean(picture.layers->light.pixels).x, expected, 0.003f * expected);
}

/// Share of the sun that is seen past a straight edge, by the place over the half-width of the soft border.
double disc_past_edge(double place) {
    const double s = std::clamp(place, -1.0, 1.0);
    return 0.5 + (s * std::sqrt(1 - s * s) + std::asin(s)) / pi;
}

TEST(Sun, edges_of_shadows_are_as_soft_as_the_sun_is_wide) {
    // The camera looks down from below a black sheet that hides the sun from x < 0.
    const geometry::Mesh sheet = level_sheet({-50, 1, -50}, {0, 1, 50});
    RenderScene scene = white_floor();
    scene.meshes = {{.mesh = &sheet, .color = {0, 0, 0}}};
    for (const double size : {2.0, 8.0}) {
        const SunParams sun{.elevation_deg = 90, .size_deg = size};
        RenderParams params = sun_only(sun, 32);
        params.denoise = false;
        const double half = std::tan(size * pi / 360);
        // Four half-widths in all.
        const double fov = 2 * std::atan(2 * half * 48 / 64 / 0.9) * 180 / pi;
        geometry::Camera camera = camera_above(0.9, fov);
        const Layers layers = *render(scene, camera, params).layers;
        const double full = static_cast<double>(Light(Sky::black, sun).sun().x) / pi;
        for (int x = 0; x < 64; ++x) {
            double column = 0;
            for (int y = 0; y < 48; ++y)
                column += static_cast<double>(layers.light.at(x, y).x) / 48;
            EXPECT_NEAR(column / full, disc_past_edge((x + 0.5 - 32) / 16), 0.02) << "size " << size << " column " << x;
        }
    }
}

/// A scene with the sun, to send photons.
struct Lit {
    RenderScene scene;
    geometry::View view;
    RayScene rays;
    Light light;
    Paint paint;

    Lit(RenderScene what, const SunParams& sun)
        : scene(std::move(what)),
          view(camera_above(3), {64, 48}),
          rays(scene, view, {.ground = scene.ground}),
          light(Sky::black, sun),
          paint(scene, view, image::color_map("auto"), {0, 1}) {}

    Vec3f on_floor(const PhotonMap& photons, double x, double z) const {
        return photons.at(view.to_local({x, 0, z}), {0, 1, 0});
    }

    /// Light per area, summed over a square of the floor.
    Vec3d sum_over(const PhotonMap& photons, double half, int cells) const {
        Vec3d sum;
        for (int i = 0; i < cells * cells; ++i) {
            const auto at = [&](int k) { return half * ((2 * k + 1.0) / cells - 1); };
            sum += vec_cast<double>(on_floor(photons, at(i % cells), at(i / cells)));
        }
        const double width = 2 * half / cells;
        return sum * (width * width);
    }
};

TEST(Photons, bring_what_a_flat_slab_of_water_lets_in) {
    const geometry::Mesh slab = plain_box({{-2, 0, -2}, {2, 0.1, 2}});
    for (const double elevation : {80.0, 45.0, 25.0}) {
        RenderScene scene = white_floor();
        scene.liquids = {{.mesh = &slab, .looks = {lossless}}};
        const Lit lit(scene, {.elevation_deg = elevation, .azimuth_deg = 20, .size_deg = 0.5});
        const PhotonMap photons(lit.rays, lit.light, lit.paint, 200'000);
        const double a = (90 - elevation) * pi / 180;
        const double expected =
            (1 - textbook_fresnel(a, 1, 1.333)) * std::cos(a) * static_cast<double>(lit.light.sun().x);
        const double found = lit.sum_over(photons, 1, 60).x / 4;
        EXPECT_NEAR(found, expected, 0.03 * expected) << elevation;
    }
}

TEST(Photons, under_a_ball_carry_no_more_than_was_sent) {
    // Of what falls on the ball's cross-section nearly all comes down on the floor: some is mirrored upwards.
    const geometry::Mesh ball = smooth_ball({0, 0.8, 0}, 0.5);
    RenderScene scene = white_floor();
    scene.liquids = {{.mesh = &ball, .looks = {lossless}}};
    const Lit lit(scene, {.elevation_deg = 90, .size_deg = 0.5});
    const PhotonMap photons(lit.rays, lit.light, lit.paint, 100'000);
    const double sent = pi * 0.25 * static_cast<double>(lit.light.sun().x);
    const double found = lit.sum_over(photons, 3, 300).x;
    EXPECT_LT(found, 1.02 * sent);
    EXPECT_GT(found, 0.85 * sent);
    EXPECT_GT(lit.on_floor(photons, 0, 0).x, 4 * lit.light.sun().x) << "the ball is a lens";
}

TEST(Photons, are_the_same_for_one_and_four_threads) {
    const geometry::Mesh ball = smooth_ball({0, 0.8, 0}, 0.5);
    RenderScene scene = white_floor();
    scene.liquids = {{.mesh = &ball}};
    const Lit lit(scene, {});
    const auto map_with = [&](int threads) {
        const ThreadLimit limit(threads);
        const PhotonMap photons(lit.rays, lit.light, lit.paint, 40'000);
        std::vector<Vec3f> light;
        for (int i = 0; i < 900; ++i)
            light.push_back(lit.on_floor(photons, 0.1 * (i % 30) - 1.5, 0.1 * (i / 30) - 1.5));
        return light;
    };
    const std::vector<Vec3f> one = map_with(1);
    EXPECT_TRUE(std::any_of(one.begin(), one.end(), [](Vec3f each) { return each.x > 0; }));
    EXPECT_EQ(one, map_with(4));
}

TEST(Photons, there_are_none_without_a_sun_or_anything_clear) {
    const geometry::Mesh ball = smooth_ball({0, 0.8, 0}, 0.5);
    RenderScene scene = white_floor();
    const Lit bare(scene, {});
    EXPECT_EQ(PhotonMap(bare.rays, bare.light, bare.paint, 20'000).rays(), 0u);
    scene.liquids = {{.mesh = &ball}};
    const Lit dark(scene, {.strength = 0});
    EXPECT_EQ(PhotonMap(dark.rays, dark.light, dark.paint, 20'000).rays(), 0u);
}

}  // namespace
}  // namespace spindrift::render
