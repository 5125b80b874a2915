#include "spindrift/forces/force_set.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift::forces {
namespace {

/// A handful of float operations on numbers around one.
constexpr float rounding = 1e-5f;

void expect_near(Vec3f a, Vec3f b, float tolerance) {
    EXPECT_LE(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " instead of " << b.x << " " << b.y << " "
                                        << b.z;
}

ForceSet one_field(const ForceParams& params, Vec3d origin = {}) {
    return make_forces({}, std::vector<ForceParams>{params}, origin);
}

/// Acceleration of a particle at rest.
Vec3f acceleration(const ForceSet& set, Vec3f x) {
    return set.accelerate(x, {}, 1);
}

TEST(ForceSetTest, gravity_and_constant_fields_add_up_everywhere) {
    const std::vector<ForceParams> fields{{.type = ForceType::constant, .acceleration = {1, 2, 3}},
                                          {.type = ForceType::constant, .acceleration = {0, 0, -1}}};
    const ForceSet set = make_forces({0, -10, 0}, fields, {});
    for (Vec3f x : {Vec3f{}, Vec3f{100, -50, 3}}) {
        expect_near(set.accelerate(x, {5, 0, 0}, 0.5f), {5.5f, -4, 1}, rounding);
    }
    expect_near(set.accelerate({}, {1, 2, 3}, 0), {1, 2, 3}, 0);
}

TEST(ForceSetTest, no_force_leaves_a_velocity_alone) {
    EXPECT_EQ(make_forces({}, {}, {}).accelerate({1, 2, 3}, {4, 5, 6}, 1), (Vec3f{4, 5, 6}));
}

TEST(ForceSetTest, a_point_attracts_with_its_strength_at_the_radius_and_repels_when_negative) {
    ForceParams params{.type = ForceType::point, .position = {1, 2, 3}, .strength = 4, .radius = 2};
    expect_near(acceleration(one_field(params), {3, 2, 3}), {-4, 0, 0}, rounding);
    expect_near(acceleration(one_field(params), {1, 2, 1}), {0, 0, 4}, rounding);
    params.strength = -4;
    expect_near(acceleration(one_field(params), {3, 2, 3}), {4, 0, 0}, rounding);
}

TEST(ForceSetTest, beyond_the_radius_strength_falls_with_the_exponent) {
    for (ForceType type : {ForceType::point, ForceType::vortex}) {
        for (double falloff : {0.0, 1.0, 2.0, 3.5}) {
            const ForceSet set = one_field({.type = type, .strength = 3, .radius = 0.5, .falloff = falloff});
            for (float distance : {0.5f, 1.f, 4.f}) {
                const double expected = 3 * std::pow(0.5 / static_cast<double>(distance), falloff);
                EXPECT_NEAR(length(acceleration(set, {distance, 0, 0})), expected, 3e-5);
            }
        }
    }
}

TEST(ForceSetTest, fields_are_continuous_at_the_radius_and_vanish_in_the_centre) {
    for (ForceType type : {ForceType::point, ForceType::vortex}) {
        const ForceSet set = one_field({.type = type, .strength = 5, .radius = 2, .falloff = 4});
        // The steepest slope is strength * falloff / radius = 10 per metre, over two steps of 1e-4.
        expect_near(acceleration(set, {1.9999f, 0, 0}), acceleration(set, {2.0001f, 0, 0}), 2.1e-3f);
        expect_near(acceleration(set, {1, 0, 0}), 0.5f * acceleration(set, {2, 0, 0}), rounding);
        EXPECT_EQ(acceleration(set, {}), (Vec3f{}));
    }
}

TEST(ForceSetTest, a_vortex_turns_right_handed_around_its_axis) {
    // An axis of any length, and any height along it.
    const ForceSet set =
        one_field({.type = ForceType::vortex, .position = {1, 0, 0}, .axis = {0, 7, 0}, .strength = 2});
    for (float height : {-3.f, 0.f, 8.f}) {
        expect_near(acceleration(set, {2, height, 0}), {0, 0, -2}, rounding);
        expect_near(acceleration(set, {1, height, 1}), {2, 0, 0}, rounding);
    }
    const ForceSet tilted = one_field({.type = ForceType::vortex, .axis = {1, 2, -0.5}, .strength = 2, .falloff = 0.5});
    const Vec3f axis = normalize(Vec3f{1, 2, -0.5f});
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Vec3f x =
            Vec3f{uniform(hash_counter(1, i, 0)), uniform(hash_counter(1, i, 1)), uniform(hash_counter(1, i, 2))} * 4.f;
        const Vec3f a = acceleration(tilted, x);
        EXPECT_NEAR(dot(a, axis), 0, rounding);
        EXPECT_NEAR(dot(a, x), 0, 7 * rounding);  // x is up to seven metres long
        EXPECT_GT(dot(cross(axis, x), a), 0);
    }
}

TEST(ForceSetTest, positions_count_from_the_origin) {
    const ForceSet set = one_field({.type = ForceType::point, .position = {1e6 + 1, 0, 0}, .strength = 1}, {1e6, 0, 0});
    expect_near(acceleration(set, {0, 0, 0}), {1, 0, 0}, rounding);
    expect_near(acceleration(set, {2, 0, 0}), {-1, 0, 0}, rounding);
}

TEST(ForceSetTest, drag_decays_exactly_for_any_step) {
    const ForceSet set = one_field({.type = ForceType::drag, .rate = 3, .wind = {4, 0, 0}});
    for (float dt : {1e-6f, 0.01f, 0.5f, 10.f, 1e4f}) {
        const double left = std::exp(-3 * static_cast<double>(dt));
        const Vec3f v = set.accelerate({}, {10, -2, 0}, dt);
        expect_near(v, vec_cast<float>(Vec3d{4 + 6 * left, -2 * left, 0}), rounding);
    }
    // Two half steps are a whole one.
    const Vec3f halves = set.accelerate({}, set.accelerate({}, {10, -2, 0}, 0.2f), 0.2f);
    expect_near(halves, set.accelerate({}, {10, -2, 0}, 0.4f), rounding);
}

TEST(ForceSetTest, largest_acceleration_bounds_the_sum_of_fields) {
    const std::vector<ForceParams> fields{
        {.type = ForceType::constant, .acceleration = {3, 0, 4}},
        {.type = ForceType::point, .position = {1, 1, 1}, .strength = -7, .radius = 0.5, .falloff = 2},
        {.type = ForceType::vortex, .strength = 2, .radius = 2},
        {.type = ForceType::line, .position = {0, 1, 1}, .strength = 3},
        {.type = ForceType::noise, .strength = 1, .scale = 0.3},
    };
    const ForceSet set = make_forces({0, -10, 0}, fields, {});
    EXPECT_NEAR(set.largest_acceleration(), 10 + 5 + 7 + 2 + 3 + 1, rounding);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec3f x =
            Vec3f{uniform(hash_counter(2, i, 0)), uniform(hash_counter(2, i, 1)), uniform(hash_counter(2, i, 2))} * 3.f;
        ASSERT_LE(length(acceleration(set, x)), set.largest_acceleration());
    }
    // Drag takes a particle along from rest, and only slows one down if there is no wind.
    EXPECT_EQ(one_field({.type = ForceType::drag, .rate = 100, .wind = {50, 0, 0}}).largest_acceleration(), 5000);
    EXPECT_EQ(one_field({.type = ForceType::drag, .rate = 100}).largest_acceleration(), 0);
}

}  // namespace
}  // namespace spindrift::forces
