#include "spindrift/lod/levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/lod/depth_image.h"

namespace spindrift::lod {
namespace {

constexpr geometry::Camera camera{.position = {0, 0, 0}, .target = {0, 0, -1}, .up = {0, 1, 0}, .fov_deg = 60};
constexpr double spacing = 0.1;

std::vector<std::uint8_t> levels_of(const LodParams& params, const std::vector<geometry::Camera>& cameras,
                                    const std::vector<Float4>& x, LevelRange range) {
    std::vector<std::uint8_t> levels(x.size());
    LevelChooser().choose(params, {.cameras = cameras, .aspect = 1}, {.position = x, .spacing = spacing}, range,
                          levels);
    return levels;
}

/// A block of particles, its front face at z = -front, seen straight on.
std::vector<Float4> block(int nx, int ny, int nz, float front) {
    std::vector<Float4> x;
    const auto d = static_cast<float>(spacing);
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                x.push_back({(static_cast<float>(i) - 0.5f * static_cast<float>(nx - 1)) * d,
                             (static_cast<float>(j) - 0.5f * static_cast<float>(ny - 1)) * d,
                             -front - static_cast<float>(k) * d, 0});
            }
        }
    }
    return x;
}

TEST(Levels, fall_evenly_with_the_distance_to_the_camera) {
    const std::vector<Float4> x = {{0, 0, -0.5f, 0}, {0, 0, -1, 0}, {0, 1.5f, 0, 0}, {2, 0, 0, 0},
                                   {0, 0, 2.5f, 0},  {0, -3, 0, 0}, {0, 0, -50, 0}};
    const LodParams params{.model = Model::dtc, .near = 1, .far = 3};
    // 6 up to 1 m, 2 from 3 m on, 1 less for each half of a metre between; behind the camera as before it.
    EXPECT_EQ(levels_of(params, {camera}, x, {2, 6}), (std::vector<std::uint8_t>{6, 6, 5, 4, 3, 2, 2}));
    EXPECT_EQ(levels_of(params, {camera}, x, {4, 4}), (std::vector<std::uint8_t>(7, 4)));
}

TEST(Levels, distances_of_a_frame_are_found_without_its_strays) {
    // 1000 particles from 10 to 20 m, and one drop before the lens: half of the way is 15 m.
    std::vector<Float4> x = {{0, 0, -0.01f, 0}};
    for (int k = 0; k < 1000; ++k)
        x.push_back({0, 0, -10 - 0.01f * static_cast<float>(k), 0});
    const LodParams params{.model = Model::dtc};
    LevelChooser chooser;
    const Falloff falloff =
        choose_falloff(params, chooser.distances(params.model, camera, 1, {.position = x}), spacing);
    // A hundredth of the particles are in 0.1 m; a bin of the histogram is 0.02 m.
    EXPECT_NEAR(falloff.near, 10.1, 0.05);
    EXPECT_NEAR(falloff.far, 15, 0.05);
}

TEST(Levels, one_given_distance_is_kept_and_the_other_chosen) {
    const std::vector<Float4> x = block(10, 10, 40, 5);
    LodParams params{.model = Model::dtvs, .far = 0.7};
    EXPECT_FLOAT_EQ(choose_falloff(params, {}, spacing).far, 0.7f);
    EXPECT_FLOAT_EQ(choose_falloff(params, {}, spacing).near, static_cast<float>(1.5 * spacing));
    params = {.model = Model::dtc, .near = 5};
    LevelChooser chooser;
    const Falloff falloff =
        choose_falloff(params, chooser.distances(params.model, camera, 1, {.position = x}), spacing);
    EXPECT_EQ(falloff.near, 5);
    EXPECT_NEAR(falloff.far, 7, 0.1) << "half of the way from 5 to 9";
}

TEST(Levels, behind_the_visible_surface_detail_falls_with_depth) {
    // 40 layers, of which the camera sees the first. Its sides are hidden by perspective.
    const std::vector<Float4> x = block(30, 30, 40, 5);
    LevelChooser chooser;
    const ConstChannel<float> behind = chooser.distances(Model::dtvs, camera, 1, {.position = x, .spacing = spacing});
    // Around the rim of what it sees, 1.45 / 5 from the middle, a pixel may look past the front: 0.1 / 7 is the width
    // of one.
    const auto at_rim = [](Vec3f p) { return std::max(std::abs(p.x), std::abs(p.y)) / -p.z > 0.29f - 2 * 0.0143f; };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float ray = length(x[i].xyz()) / -x[i].z, depth = (-x[i].z - 5) * ray;
        if (at_rim(x[i].xyz())) continue;
        // Where a ray passes between spheres of the first layer, it meets the next one, which may count beside it, too.
        EXPECT_NEAR(behind[i], depth, 1.5 * spacing) << i;
    }
    const LodParams params{.model = Model::dtvs, .near = 0.5, .far = 2.5};
    const std::vector<std::uint8_t> levels = levels_of(params, {camera}, x, {2, 6});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float depth = -x[i].z - 5;
        if (!at_rim(x[i].xyz()) && (depth < 0.35f || depth > 2.6f)) {
            EXPECT_EQ(levels[i], depth < 1 ? 6 : 2) << i;
        }
    }
}

TEST(Levels, what_the_camera_cannot_see_has_the_lowest_level_by_depth_but_not_by_distance) {
    const std::vector<Float4> x = block(8, 8, 8, 2);
    geometry::Camera away = camera;
    away.target = {0, 0, 1};
    EXPECT_EQ(levels_of({.model = Model::dtvs}, {away}, x, {3, 6}), std::vector<std::uint8_t>(x.size(), 3));
    const std::vector<std::uint8_t> near = levels_of({.model = Model::dtc}, {away}, x, {3, 6});
    EXPECT_EQ(*std::ranges::max_element(near), 6);
    EXPECT_EQ(*std::ranges::min_element(near), 3);
}

TEST(Levels, a_camera_within_the_liquid_sees_what_is_around_it) {
    // The eye is between eight particles: nearer than their drawn radius from none, so that gaps let it see a little.
    const std::vector<Float4> x = block(40, 40, 40, -2);
    const std::vector<std::uint8_t> levels =
        levels_of({.model = Model::dtvs, .near = 0.15, .far = 1}, {camera}, x, {1, 5});
    int high = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float distance = length(x[i].xyz());
        if (distance > 2 || x[i].z > 0.1f) {
            EXPECT_EQ(levels[i], 1) << i;
        }
        high += distance < 0.3f && levels[i] == 5;
    }
    EXPECT_GT(high, 4);
}

TEST(Levels, a_camera_far_away_sees_the_front_all_the_same) {
    const std::vector<Float4> x = block(10, 10, 30, 3000);
    const std::vector<std::uint8_t> levels = levels_of({.model = Model::dtvs}, {camera}, x, {1, 4});
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(levels[i], 4) << i;
        EXPECT_EQ(levels[x.size() - 1 - i], 1) << i;
    }
}

TEST(Levels, several_cameras_get_what_the_most_demanding_or_the_mean_asks_for) {
    const std::vector<Float4> x = {{0, 0, 0, 0}, {5, 0, 0, 0}, {10, 0, 0, 0}};
    geometry::Camera other = camera;
    other.position = {10, 0, 0};
    LodParams params{.model = Model::dtc, .near = 0, .far = 10};
    EXPECT_EQ(levels_of(params, {camera, other}, x, {1, 9}), (std::vector<std::uint8_t>{9, 5, 9}));
    params.blend = Blend::mean;
    EXPECT_EQ(levels_of(params, {camera, other}, x, {1, 9}), (std::vector<std::uint8_t>{5, 5, 5}));
}

TEST(Levels, depend_neither_on_the_order_of_particles_nor_on_threads) {
    std::vector<Float4> x = block(30, 30, 20, 4);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i].x += 0.04f * uniform(hash_counter(7, i, 0));
    const std::vector<std::uint8_t> levels = levels_of({.model = Model::dtvs}, {camera}, x, {1, 6});
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::reverse(order);
    std::vector<Float4> turned;
    for (const std::size_t i : order)
        turned.push_back(x[i]);
    const ThreadLimit one(1);
    const std::vector<std::uint8_t> other = levels_of({.model = Model::dtvs}, {camera}, turned, {1, 6});
    for (std::size_t k = 0; k < order.size(); ++k)
        ASSERT_EQ(other[k], levels[order[k]]) << k;
}

TEST(Levels, coarse_particles_are_drawn_as_large_as_they_are) {
    // A coarse particle hides fine ones right behind it.
    std::vector<Float4> x = {{0, 0, -5, 0}};
    for (int k = -3; k <= 3; ++k)
        x.push_back({0.1f * static_cast<float>(k), 0, -6, 0});
    const Crowd crowd{.position = x, .spacing_of = [](std::size_t i) { return i == 0 ? 0.8 : 0.1; }};
    LevelChooser chooser;
    const ConstChannel<float> behind = chooser.distances(Model::dtvs, camera, 1, crowd);
    // Fronts: 5 - 0.6 and 6 - 0.075; 0.25 beside the middle the large sphere's is 5 - sqrt(0.6^2 - 0.25^2). Pixels, and
    // those beside them that count as well, are 0.19 wide: a pixel and a half off, the sphere is up to 0.07 and 0.15
    // farther back.
    EXPECT_EQ(behind[0], 0);
    EXPECT_NEAR(behind[4], 1.525, 0.07);
    EXPECT_NEAR(behind[1], 1.47 * std::hypot(6, 0.3) / 6, 0.15);
}

}  // namespace
}  // namespace spindrift::lod
