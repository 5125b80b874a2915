// Fields that fill a region, change over time or are random.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"
#include "spindrift/forces/curl_noise.h"
#include "spindrift/forces/force_set.h"

namespace spindrift::forces {
namespace {

ForceSet one_field(const ForceParams& params, Moment now = {}, Vec3d origin = {}) {
    return make_forces({}, std::vector<ForceParams>{params}, origin, now);
}

Vec3f acceleration(const ForceSet& set, Vec3f x) {
    return set.accelerate(x, {}, 1);
}

Vec3f random_point(std::uint64_t i, float size) {
    return Vec3f{uniform(hash_counter(5, i, 0)), uniform(hash_counter(5, i, 1)), uniform(hash_counter(5, i, 2))} * size;
}

TEST(FieldsTest, a_line_attracts_at_right_angles_and_repels_when_negative) {
    ForceParams params{.type = ForceType::line, .position = {1, 0, 0}, .axis = {0, 3, 0}, .strength = 4, .radius = 2};
    for (const float height : {-5.f, 0.f, 7.f}) {
        EXPECT_LE(length(acceleration(one_field(params), {3, height, 0}) - Vec3f{-4, 0, 0}), 1e-5f);
        EXPECT_LE(length(acceleration(one_field(params), {1, height, -1}) - Vec3f{0, 0, 2}), 1e-5f);
        EXPECT_EQ(acceleration(one_field(params), {1, height, 0}), (Vec3f{}));
    }
    params.strength = -4;
    EXPECT_LE(length(acceleration(one_field(params), {3, 0, 0}) - Vec3f{4, 0, 0}), 1e-5f);
}

TEST(FieldsTest, at_twice_the_radius_half_is_left_with_exponent_one) {
    for (const ForceType type : {ForceType::point, ForceType::line, ForceType::vortex}) {
        const ForceSet set = one_field({.type = type, .strength = 3, .radius = 0.5});
        EXPECT_NEAR(length(acceleration(set, {1, 0, 0})), 1.5, 1e-5) << word(type);
    }
    // Drag by its rate: what is left of the velocity after a second.
    const ForceSet drag = one_field({.type = ForceType::drag, .radius = 0.5, .rate = 2});
    EXPECT_NEAR(drag.accelerate({0.3f, 0, 0}, {1, 0, 0}, 1).x, std::exp(-2), 1e-6);
    EXPECT_NEAR(drag.accelerate({0, 1, 0}, {1, 0, 0}, 1).x, std::exp(-1), 1e-6);
    ForceParams noise{.type = ForceType::noise, .strength = 3};
    const Vec3f everywhere = acceleration(one_field(noise), {0.9f, 0.1f, 0.2f});
    noise.position = {0.9, 0.1, 1.2};
    noise.radius = 0.5;
    EXPECT_LE(length(acceleration(one_field(noise), {0.9f, 0.1f, 0.2f}) - everywhere * 0.5f), 1e-5f);
}

TEST(FieldsTest, noise_has_no_divergence_while_its_components_vary) {
    const CurlNoise noise(7, 0.3);
    constexpr float step = 1.f / 256;
    double slopes = 0, largest = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec3f x = random_point(i, 40) - Vec3f{20, 20, 20};
        double divergence = 0;
        for (int a = 0; a < 3; ++a) {
            Vec3f e{};
            e[a] = step;
            const double slope = static_cast<double>(noise.at(x + e)[a] - noise.at(x - e)[a]) / (2 * step);
            divergence += slope;
            slopes += slope * slope / 6000;
        }
        largest = std::max(largest, std::abs(divergence));
    }
    EXPECT_GT(std::sqrt(slopes), 0.3);
    // Of the differences: step^2 / 6 times a third derivative of some hundred, and the jump of the second derivative
    // where a difference reaches across a cell's face.
    EXPECT_LT(largest, 0.01 * std::sqrt(slopes));
}

TEST(FieldsTest, noise_is_bounded_by_its_strength_and_reaches_about_a_third_of_it) {
    const ForceSet set = one_field({.type = ForceType::noise, .strength = -6, .scale = 0.1, .seed = 3});
    EXPECT_EQ(set.largest_acceleration(), 6);
    double squares = 0;
    Vec3d mean{};
    constexpr int count = 20000;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Vec3f a = acceleration(set, random_point(i, 10));
        ASSERT_LE(length(a), 6);
        squares += static_cast<double>(dot(a, a)) / count;
        mean += vec_cast<double>(a) / static_cast<double>(count);
    }
    EXPECT_NEAR(std::sqrt(squares), 2, 0.3);
    // A million cells with 256 vectors: the mean of each component is that of 20000 draws, 2 / sqrt(3 * 20000).
    EXPECT_LT(length(mean), 4 * 2 / std::sqrt(20000));
}

TEST(FieldsTest, noise_is_continuous_across_cells_and_in_time) {
    const ForceParams params{.type = ForceType::noise, .strength = 1, .scale = 1};
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Vec3f x{std::floor(random_point(i, 20).x), random_point(i, 20).y, random_point(i, 20).z};
        const ForceSet now = one_field(params, {.seconds = 4});
        EXPECT_LE(length(acceleration(now, x - Vec3f{1e-4f, 0, 0}) - acceleration(now, x + Vec3f{1e-4f, 0, 0})), 2e-3f);
        // The quickest vectors turn one and a half times in a second.
        const ForceSet soon = one_field(params, {.seconds = 4.001});
        EXPECT_LE(length(acceleration(soon, x) - acceleration(now, x)), 0.01f);
    }
}

TEST(FieldsTest, noise_depends_on_seed_and_time_and_not_on_the_origin) {
    ForceParams params{.type = ForceType::noise, .strength = 1, .scale = 0.5};
    const Vec3f x{0.3f, -0.8f, 2.2f};
    const Vec3f before = acceleration(one_field(params), x);
    // Half a metre of a float at 1000 m is good to 3e-5 m, a slope of the field about one per cell.
    EXPECT_LE(length(acceleration(one_field(params, {}, {1000.25, -77, 0.5}), x - Vec3f{1000.25f, -77, 0.5f}) - before),
              1e-3f);
    EXPECT_GT(length(acceleration(one_field(params, {.seconds = 0.4}), x) - before), 0.01f);
    params.seed = 1;
    EXPECT_GT(length(acceleration(one_field(params), x) - before), 0.01f);
}

TEST(FieldsTest, a_field_acts_in_its_window_alone) {
    for (const ForceType type : {ForceType::constant, ForceType::noise}) {
        const ForceParams params{
            .type = type, .acceleration = {1, 0, 0}, .strength = 1, .active = std::array{10.0, 20.5}};
        for (const double inside : {10.0, 15.2, 20.5})
            EXPECT_NE(acceleration(one_field(params, {.frame = inside}), {0.1f, 0.2f, 0.3f}), (Vec3f{}));
        for (const double outside : {-5.0, 9.99, 20.51}) {
            const ForceSet set = one_field(params, {.frame = outside});
            EXPECT_EQ(acceleration(set, {0.1f, 0.2f, 0.3f}), (Vec3f{}));
            EXPECT_EQ(set.largest_acceleration(), 0);
        }
    }
}

TEST(FieldsTest, keys_are_followed) {
    ForceParams params{.type = ForceType::point, .radius = 2};
    params.strength = Animated<double>({{1, 0.0}, {11, 10.0}});
    params.position = Animated<Vec3d>({{1, {0, 0, 0}}, {11, {10, 0, 0}}});
    const ForceSet set = one_field(params, {.frame = 6});
    EXPECT_LE(length(acceleration(set, {3, 0, 0}) - Vec3f{5, 0, 0}), 1e-5f);
    EXPECT_EQ(set.largest_acceleration(), 5);
    EXPECT_EQ(make_forces(Animated<Vec3d>({{0, {0, 0, 0}}, {2, {0, -4, 0}}}), {}, {}, {.frame = 1}).gravity,
              (Vec3f{0, -2, 0}));
}

TEST(FieldsTest, an_axis_that_turns_over_passes_through_nothing_without_harm) {
    for (const ForceType type : {ForceType::line, ForceType::vortex}) {
        ForceParams params{.type = type, .strength = 3};
        params.axis = Animated<Vec3d>({{0, {0, 1, 0}}, {2, {0, -1, 0}}});
        EXPECT_EQ(acceleration(one_field(params, {.frame = 1}), {0.3f, 0.2f, 0.1f}), (Vec3f{}));
    }
}

TEST(FieldsTest, what_can_change_is_known) {
    const auto changes = [](const ForceParams& params) { return forces_change({}, std::vector<ForceParams>{params}); };
    EXPECT_FALSE(forces_change({0, -9.81, 0}, {}));
    EXPECT_TRUE(forces_change(Animated<Vec3d>({{0, {0, 0, 0}}, {2, {0, -4, 0}}}), {}));
    EXPECT_FALSE(changes({.type = ForceType::point, .strength = 2, .radius = 1}));
    EXPECT_TRUE(changes({.type = ForceType::constant, .active = std::array{1.0, 2.0}}));
    EXPECT_TRUE(changes({.type = ForceType::noise}));
    EXPECT_FALSE(changes({.type = ForceType::noise, .speed = 0}));
    EXPECT_TRUE(changes({.type = ForceType::drag, .radius = Animated<double>({{1, 1.0}, {2, 2.0}})}));
}

}  // namespace
}  // namespace spindrift::forces
