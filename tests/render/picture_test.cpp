#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "draw.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/image/color_map.h"
#include "spindrift/render/render.h"

namespace spindrift::render {
namespace {

constexpr std::array<int, 2> small_picture{160, 120};

/// Looks along -z at the origin from 4 m.
geometry::Camera front_camera() {
    return {.position = {0, 0, 4}, .target = {0, 0, 0}};
}
/// Looks down on the floor.
geometry::Camera high_camera() {
    return {.position = {0, 3, 4}, .target = {0, 0, 0}};
}

RenderParams small_params(int samples = 4) {
    return {.resolution = small_picture, .samples = samples};
}

std::vector<Vec3f> block_of_particles(int n, float spacing) {
    std::vector<Vec3f> x;
    for (int i = 0; i < n * n * n; ++i) {
        const auto id = static_cast<std::uint64_t>(i);
        const auto jitter = [&](std::uint64_t axis) { return 0.3f * uniform(hash_counter(7, id, axis)); };
        x.push_back(Vec3f{static_cast<float>(i % n) + jitter(0), static_cast<float>(i / n % n) + jitter(1),
                          static_cast<float>(i / n / n) + jitter(2)} *
                    spacing);
    }
    return x;
}

std::vector<float> heights(const std::vector<Vec3f>& x) {
    std::vector<float> y;
    for (const Vec3f p : x)
        y.push_back(p.y);
    return y;
}

std::uint64_t image_hash(const Image& image) {
    return Hash64().add(image.pixels.data(), image.pixels.size() * sizeof(Vec3f)).value();
}

bool all_displayable(const Image& image) {
    return std::ranges::all_of(image.pixels, [](Vec3f c) {
        return is_finite(c) && std::min({c.x, c.y, c.z}) >= 0 && std::max({c.x, c.y, c.z}) <= 1;
    });
}

/// Pixels where two pictures differ visibly.
std::vector<std::pair<int, int>> changed_pixels(const Image& a, const Image& b) {
    std::vector<std::pair<int, int>> places;
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x) {
            if (length(a.at(x, y) - b.at(x, y)) > 0.02f) places.emplace_back(x, y);
        }
    }
    return places;
}

TEST(Render, a_particle_covers_its_disc_and_nothing_else) {
    const std::vector<Vec3f> x{{0.5f, 0.3f, 0}};
    const float radius = 0.2f;
    const Image with = draw({.positions = x, .radius = radius}, front_camera(), small_params());
    const Image without = draw({}, front_camera(), small_params());
    const geometry::View view(front_camera(), small_picture);
    const Vec3f center = view.project(view.to_local({0.5, 0.3, 0}));
    const float pixels_per_metre = view.project(view.to_local({1.5, 0.3, 0})).x - center.x;
    for (const auto& [px, py] : changed_pixels(with, without)) {
        const Vec3f offset{static_cast<float>(px) + 0.5f - center.x, static_cast<float>(py) + 0.5f - center.y, 0};
        EXPECT_LT(length(offset), radius * pixels_per_metre * 1.03f + 1) << px << ' ' << py;
    }
    const float area = std::numbers::pi_v<float> * std::pow(radius * pixels_per_metre, 2.f);
    EXPECT_NEAR(static_cast<float>(changed_pixels(with, without).size()), area, 0.25f * area);
}

TEST(Render, nearer_particles_hide_farther_ones) {
    const std::vector<Vec3f> x{{0, 0, -1}, {0, 0, 1}};
    const std::vector<float> values{1, 0};
    const RenderScene scene{.positions = x, .radius = 0.2f, .values = values, .range = {{0, 1}}};
    const Vec3f center = draw(scene, front_camera(), small_params()).at(80, 60);
    EXPECT_GT(center.z, 2 * center.x) << "the near particle is the deep blue one";
}

TEST(Render, shadow_is_darker_than_lit_ground) {
    const std::vector<Vec3f> x{{0, 0.5f, 0}};
    const Image with = draw({.positions = x, .radius = 0.3f, .ground = 0.0}, high_camera(), small_params());
    const Image bare = draw({.ground = 0.0}, high_camera(), small_params());
    const geometry::View view(high_camera(), small_picture);
    const auto brightness = [&](const Image& image, Vec3d place) {
        const Vec3f p = view.project(view.to_local(place));
        return luminance(image.at(static_cast<int>(p.x), static_cast<int>(p.y)));
    };
    // The sun stands in the upper left: the shadow falls to the right.
    const Vec3d shadow{0.32, 0, -0.22}, lit{-1.2, 0, 0};
    EXPECT_LT(brightness(with, shadow), 0.7f * brightness(bare, shadow));
    EXPECT_NEAR(brightness(with, lit), brightness(bare, lit), 0.02f);
    EXPECT_GT(brightness(with, shadow), 0.03f) << "skylight fills shadows";
}

TEST(Render, the_inside_of_a_heap_is_darker_than_its_top) {
    const std::vector<Vec3f> heap = block_of_particles(12, 0.1f);
    const geometry::Camera camera{.position = {0.6, 0.9, 4}, .target = {0.6, 0.6, 0}};
    const Image open = draw({.positions = heap, .radius = 0.06f}, camera, small_params());
    RenderScene roofed{.positions = heap, .radius = 0.06f};
    roofed.solids = {{{-2, 1.6, -2}, {3, 1.7, 3}}};
    EXPECT_LT(luminance(draw(roofed, camera, small_params()).at(80, 60)), 0.7f * luminance(open.at(80, 60)));
}

TEST(Render, ground_fades_into_the_horizon_without_an_edge) {
    const geometry::Camera level{.position = {0, 0.5, 4}, .target = {0, 0.5, 0}};
    const Image image = draw({.ground = 0.0}, level, small_params());
    for (int y = 1; y < image.height; ++y) {
        EXPECT_LT(length(image.at(80, y) - image.at(80, y - 1)), 0.08f) << y;
    }
    EXPECT_GT(length(image.at(80, 0) - image.at(80, 119)), 0.2f);
    const RenderParams no_ground{.resolution = small_picture, .ground = false};
    EXPECT_NE(draw({.ground = 0.0}, level, no_ground).at(80, 119), image.at(80, 119));
}

TEST(Render, solids_are_matte_bodies_that_hide_particles) {
    const std::vector<Vec3f> x{{0, 0, 0}};
    RenderScene scene{.positions = x, .radius = 0.3f};
    scene.solids = {{{-0.5, -0.5, 0.5}, {0.5, 0.5, 1}}};
    const Vec3f center = draw(scene, front_camera(), small_params()).at(80, 60);
    EXPECT_NEAR(center.x, center.z, 0.3f * center.x);
}

TEST(Render, domain_edges_are_dark_lines_in_front_and_faint_behind_bodies) {
    const std::vector<Vec3f> x{{0, 0, 0}};
    RenderScene scene{.positions = x, .radius = 0.3f};
    const Image plain = draw(scene, front_camera(), small_params());
    const geometry::View view(front_camera(), small_picture);
    const auto darkening = [&](const Box3d& domain, Vec3d place) {
        scene.domain = domain;
        const Vec3f p = view.project(view.to_local(place));
        const Image lined = draw(scene, front_camera(), small_params());
        float most = 0;
        for (int dx = -1; dx <= 1; ++dx) {
            const int px = static_cast<int>(p.x) + dx, py = static_cast<int>(p.y);
            most = std::max(most, 1 - luminance(lined.at(px, py)) / luminance(plain.at(px, py)));
        }
        return most;
    };
    EXPECT_GT(darkening({{-1, -1, -1}, {1, 1, 1}}, {-1, 0.3, 1}), 0.3f);
    EXPECT_GT(darkening({{0.05, -1, -3}, {1, 1, 2}}, {0.05, 0, 2}), 0.3f);
    EXPECT_LT(darkening({{0.05, -1, -3}, {9, 9, 9}}, {0.05, 0, -3}), 0.25f);
}

TEST(Render, legend_and_label_have_readable_text) {
    const std::vector<Vec3f> x{{0, 0, 0}};
    const std::vector<float> values{1};
    const RenderParams params{.resolution = {960, 540}, .samples = 1};
    RenderScene scene{.positions = x, .radius = 0.1f, .values = values, .range = {{0, 4}}};
    scene.legend = "speed  m/s";
    scene.label = "frame 42";
    const Image image = draw(scene, front_camera(), params);
    const auto ink = [&](int x0, int y0, int x1, int y1) {
        int count = 0;
        for (int py = y0; py < y1; ++py) {
            for (int px = x0; px < x1; ++px)
                count += luminance(image.at(px, py)) < 0.05f;
        }
        return count;
    };
    EXPECT_GT(ink(0, 440, 240, 540), 500);
    EXPECT_GT(ink(0, 0, 140, 50), 100);
    EXPECT_EQ(ink(600, 0, 960, 100), 0);

    // The bar holds the ends of the map.
    const auto holds = [&](Vec3f color) {
        return std::ranges::any_of(image.pixels, [&](Vec3f c) { return length(c - color) < 0.02f; });
    };
    EXPECT_TRUE(holds(image::color_map("speed")(0)));
    EXPECT_TRUE(holds(image::color_map("speed")(1)));
}

TEST(Render, faster_particles_are_brighter) {
    std::vector<Vec3f> x;
    std::vector<float> values;
    for (int i = 0; i < 7; ++i) {
        x.push_back({-1.2f + 0.4f * static_cast<float>(i), 0.8f, 0});
        values.push_back(static_cast<float>(i));
    }
    const RenderScene scene{.positions = x, .radius = 0.12f, .values = values, .range = {{0, 6}}};
    const Image image = draw(scene, front_camera(), small_params());
    const geometry::View view(front_camera(), small_picture);
    float before = 0;
    for (const Vec3f p : x) {
        const Vec3f place = view.project(view.to_local(vec_cast<double>(p)));
        const float now = luminance(image.at(static_cast<int>(place.x), static_cast<int>(place.y)));
        EXPECT_GT(now, before);
        before = now;
    }
}

TEST(Render, same_bits_for_one_and_three_threads_even_with_coincident_particles) {
    std::vector<Vec3f> x = block_of_particles(16, 0.06f);
    x.insert(x.end(), x.begin(), x.begin() + 2000);
    const std::vector<float> values = [&] {
        std::vector<float> v = heights(x);
        for (std::size_t i = v.size() - 2000; i < v.size(); ++i)
            v[i] += 0.5f;
        return v;
    }();
    const RenderScene scene{.positions = x, .radius = 0.035f, .values = values, .legend = "height  m", .ground = 0.0};
    const auto hash_with = [&](int threads) {
        const ThreadLimit limit(threads);
        return image_hash(draw(scene, geometry::automatic_camera(bounds(scene), 4.0 / 3), small_params()));
    };
    const std::uint64_t one = hash_with(1);
    EXPECT_EQ(hash_with(3), one);
    EXPECT_EQ(hash_with(3), one);
}

TEST(Render, far_from_the_origin_the_picture_stays_the_same) {
    const std::vector<Vec3f> near = [] {
        std::vector<Vec3f> x = block_of_particles(8, 0.125f);
        // Multiples of 2^-10 m are exact at a kilometre.
        for (Vec3f& p : x)
            p = {std::round(p.x * 1024) / 1024, std::round(p.y * 1024) / 1024, std::round(p.z * 1024) / 1024};
        return x;
    }();
    const Vec3d shift{1024, -512, 2048};
    std::vector<Vec3f> far = near;
    for (Vec3f& p : far)
        p += vec_cast<float>(shift);
    const auto picture = [&](const std::vector<Vec3f>& x, Vec3d offset) {
        const geometry::Camera camera{.position = Vec3d{1.5, 1.25, 3} + offset,
                                      .target = Vec3d{0.5, 0.5, 0.5} + offset};
        return draw({.positions = x, .radius = 0.07f, .ground = offset.y}, camera, small_params());
    };
    EXPECT_TRUE(changed_pixels(picture(near, {}), picture(far, shift)).empty());
}

TEST(Render, particles_that_are_not_finite_are_left_out) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const std::vector<Vec3f> good{{0, 0, 0}};
    const std::vector<Vec3f> mixed{{nan, 0, 0}, {0, inf, 0}, {0, 0, 0}, {0, 0, -inf}, {1e30f, 0, 0}};
    const Image expected = draw({.positions = good, .radius = 0.2f}, front_camera(), small_params());
    const Image image = draw({.positions = mixed, .radius = 0.2f}, front_camera(), small_params());
    EXPECT_TRUE(changed_pixels(image, expected).empty());
    EXPECT_EQ(bounds({.positions = std::span(mixed).first(3), .radius = 0.25f}).hi, (Vec3d{0.25, 0.25, 0.25}));
}

TEST(Render, unusual_pictures_are_displayable) {
    const std::vector<Vec3f> x = block_of_particles(12, 0.1f);
    const std::vector<float> same(x.size(), 3.f);
    const RenderScene scene{.positions = x, .radius = 0.06f, .values = same, .legend = "speed", .label = "frame 1"};
    const geometry::Camera inside{.position = {0.6, 0.6, 0.6}, .target = {1, 0.6, 0.6}};
    const geometry::Camera straight_down{.position = {0.6, 5, 0.6}, .target = {0.6, 0, 0.6}};
    const Image swim = draw(scene, inside, small_params());
    EXPECT_TRUE(all_displayable(swim));
    EXPECT_GT(luminance(swim.at(80, 60)), 0.0005f) << "not black inside the liquid";
    EXPECT_TRUE(all_displayable(draw(scene, straight_down, small_params())));
    EXPECT_TRUE(all_displayable(draw(scene, front_camera(), {.resolution = {1, 1}, .samples = 1})));
    EXPECT_TRUE(all_displayable(draw({.domain = Box3d{{0, 0, 0}, {1, 1, 1}}}, inside, small_params())));
}

/// Whether loops keep numbers below the smallest normal one.
bool loops_keep_subnormal_numbers() {
    std::vector<float> halves(64);
    parallel_for(halves.size(), 1, [&](Range r) {
        volatile float smallest = std::numeric_limits<float>::min();
        for (const auto i : r)
            halves[i] = smallest * 0.5f;
    });
    return std::ranges::all_of(halves, [](float h) { return h > 0; });
}

// Each of the two must be the first in its process that runs a loop, as it is under CTest.
TEST(Render, drawing_leaves_floating_point_modes_alone) {
    const std::vector<Vec3f> x = block_of_particles(8, 0.1f);
    draw({.positions = x, .radius = 0.06f}, front_camera(), small_params(1));
    EXPECT_TRUE(loops_keep_subnormal_numbers());
}

TEST(Render, drawing_with_limited_threads_leaves_floating_point_modes_alone) {
    const std::vector<Vec3f> x = block_of_particles(20, 0.1f);
    {
        const ThreadLimit limit(3);
        draw({.positions = x, .radius = 0.06f}, front_camera(), small_params(1));
        EXPECT_TRUE(loops_keep_subnormal_numbers());
    }
    EXPECT_TRUE(loops_keep_subnormal_numbers());
}

}  // namespace
}  // namespace spindrift::render
