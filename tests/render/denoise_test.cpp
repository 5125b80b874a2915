// Smoothing takes grain and leaves what is to be seen.

#include "spindrift/render/denoise.h"

#include <array>
#include <cmath>
#include <vector>

#include "bodies.h"
#include <gtest/gtest.h>

#include "spindrift/core/random.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

/// A wall before the camera, with grain on its light.
Irradiance wall(int width, int height, float light, float grain) {
    Irradiance noisy(width, height);
    for (int i = 0; i < width * height; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float stray = grain * (uniform(hash_counter(3, at, 0)) - 0.5f);
        noisy.light[at] = Vec3f{1, 0.8f, 0.6f} * (light + stray);
        noisy.variance[at] = grain * grain / 12;
        noisy.point[at] = {0.01f * static_cast<float>(i % width), -0.01f * static_cast<float>(i / width), -2};
        noisy.normal[at] = {0, 0, 1};
        noisy.footprint[at] = 0.01f;
    }
    return noisy;
}

double spread(const std::vector<Vec3f>& light) {
    const double middle = static_cast<double>(mean(light).x);
    double squares = 0;
    for (const Vec3f& each : light)
        squares += std::pow(static_cast<double>(each.x) - middle, 2);
    return std::sqrt(squares / static_cast<double>(light.size()));
}

TEST(Denoise, constant_light_stays_constant) {
    const Irradiance noisy = wall(64, 48, 0.7f, 0);
    for (const Vec3f& each : denoise(noisy))
        ASSERT_LT(length(each - Vec3f{1, 0.8f, 0.6f} * 0.7f), 1e-5f);
}

TEST(Denoise, grain_goes_and_the_mean_stays) {
    const Irradiance noisy = wall(64, 48, 0.7f, 0.4f);
    const std::vector<Vec3f> smooth = denoise(noisy);
    EXPECT_LT(spread(smooth), 0.1 * spread(noisy.light));
    EXPECT_NEAR(mean(smooth).x, mean(noisy.light).x, 0.005f);
}

TEST(Denoise, light_does_not_cross_edges_of_bodies) {
    // The right half stands a metre behind the left one and is dark.
    Irradiance noisy = wall(64, 48, 0.7f, 0.2f);
    for (std::size_t i = 0; i < noisy.light.size(); ++i) {
        if (i % 64 < 32) continue;
        noisy.light[i] *= 0.1f, noisy.variance[i] *= 0.01f;
        noisy.point[i].z -= 1;
    }
    const std::vector<Vec3f> smooth = denoise(noisy);
    for (std::size_t y = 0; y < 48; ++y) {
        EXPECT_GT(smooth[y * 64 + 31].x, 0.6f);
        EXPECT_LT(smooth[y * 64 + 32].x, 0.1f);
    }
}

TEST(Denoise, pixels_that_show_nothing_matte_are_left_alone) {
    Irradiance noisy = wall(32, 24, 0.5f, 0.1f);
    for (std::size_t i = 0; i < noisy.light.size(); i += 3) {
        noisy.footprint[i] = 0;
        noisy.light[i] = {9, 9, 9};
    }
    const std::vector<Vec3f> smooth = denoise(noisy);
    for (std::size_t i = 0; i < smooth.size(); ++i)
        EXPECT_TRUE(i % 3 == 0 ? smooth[i].x == 9 : smooth[i].x < 0.6f) << i;
}

/// A ball on a floor, in the light of sky and sun.
RenderScene ball_on_floor(const geometry::Mesh& mesh) {
    RenderScene scene{.radius = 0.005f, .ground = 0.0};
    scene.meshes = {{.mesh = &mesh}};
    return scene;
}

Layers layers_of(const RenderScene& scene, std::array<int, 2> resolution, int samples, bool denoise) {
    RenderParams params = quick_params(samples);
    params.resolution = resolution;
    params.denoise = denoise;
    params.sun.size_deg = 10;
    return *render(scene, {.position = {0.5, 1.2, 2.2}, .target = {0, 0.3, 0}}, params).layers;
}

/// Whether a pixel and those around it show the same body.
bool is_amid(const Layers& layers, int x, int y) {
    for (int k = 0; k < 9; ++k) {
        const int i = x + k % 3 - 1, j = y + k / 3 - 1;
        if (!layers.light.contains(i, j) || layers.id[layers.index(i, j)] != layers.id[layers.index(x, y)])
            return false;
    }
    return true;
}

/// Off the rims of bodies: there it is the share of bodies in a pixel that few samples get wrong, not the light.
double rms(const Layers& a, const Layers& b) {
    double squares = 0, count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            if (!is_amid(b, x, y)) continue;
            squares += std::pow(static_cast<double>(length(a.light.at(x, y) - b.light.at(x, y))), 2);
            count += 1;
        }
    }
    return std::sqrt(squares / count);
}

TEST(Denoise, four_smoothed_samples_are_better_than_sixteen) {
    const geometry::Mesh mesh = smooth_ball({0, 0.4, 0}, 0.4);
    const RenderScene scene = ball_on_floor(mesh);
    const auto with = [&](int samples, bool denoise) { return layers_of(scene, {160, 120}, samples, denoise); };
    const Layers truth = with(48, false);
    const double smoothed = rms(with(4, true), truth);
    EXPECT_LT(smoothed, 0.5 * rms(with(4, false), truth));
    EXPECT_LT(smoothed, rms(with(16, false), truth));
}

Vec3f column(const Image& image, int x) {
    Vec3f sum;
    for (int y = 0; y < image.height; ++y)
        sum += image.at(x, y) / static_cast<float>(image.height);
    return sum;
}

TEST(Denoise, white_beside_black_is_not_blurred) {
    // Two sheets in one plane, in the shadow of a third: grainy light, and nothing but colour tells them apart.
    const geometry::Mesh left = level_sheet({-2, 0, -2}, {0, 0, 2}), right = level_sheet({0, 0, -2}, {2, 0, 2});
    const geometry::Mesh roof = level_sheet({-1, 1, -2}, {1, 1, 2});
    for (const Vec3f dark : {Vec3f{}, Vec3f{0.02f, 0.02f, 0.02f}, Vec3f{0.8f, 0, 0}}) {
        RenderScene scene{.radius = 0.005f};
        scene.meshes = {{.mesh = &left, .color = {0.9f, 0.9f, 0.9f}}, {.mesh = &right, .color = dark}, {.mesh = &roof}};
        RenderParams params = quick_params(8);
        const geometry::Camera camera = camera_above(0.9, 40);
        const Image smooth = render(scene, camera, params).layers->light;
        params.samples = 64;
        params.denoise = false;
        const Image truth = render(scene, camera, params).layers->light;
        // Of colours that pure red shows nothing of, smoothing can only guess the light.
        const float tolerance = dark.x > 0.5f ? 0.08f : 0.04f;
        for (int x = 26; x < 38; ++x) {
            const Vec3f difference = column(smooth, x) - column(truth, x);
            EXPECT_LT(length(difference), tolerance * length(column(truth, 20))) << "column " << x << " red " << dark.x;
        }
    }
}

TEST(Denoise, a_furnace_of_light_is_not_changed) {
    const geometry::Mesh mesh = smooth_ball({0, 0.4, 0}, 0.4);
    RenderScene scene = ball_on_floor(mesh);
    scene.uniform_light = Vec3f{1, 1, 1};
    scene.meshes[0].color = scene.floor.color = {1, 1, 1};
    for (const Vec3f& pixel : layers_of(scene, {64, 48}, 2, true).light.pixels)
        ASSERT_LT(length(pixel - Vec3f{1, 1, 1}), 2e-5f);
}

}  // namespace
}  // namespace spindrift::render
