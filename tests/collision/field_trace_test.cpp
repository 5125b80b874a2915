// Ways along surfaces of distance fields: what slides must not stop for rounding, and nothing may get through.

#include <cmath>

#include "analytic_field.h"
#include <gtest/gtest.h>

#include "spindrift/collision/walls/wall_field.h"
#include "spindrift/core/random.h"

namespace spindrift::collision {
namespace {

constexpr double cell = 0.5;  // of a support radius

float random(std::uint64_t i, std::uint64_t k, float lo, float hi) {
    return lo + (hi - lo) * uniform(hash_counter(7, i, k));
}

WallField placed(const Field& field) {
    return place_field(field, {{}, {}}, {{}, 1, 0});
}

/// A floor at y = 0 whose distances are off by a few units in their last place, as those of meshes are.
Field rough_floor(float noise) {
    Field field = field_of([](Vec3d p) { return p.y; }, {{-100, -2, -10}, {100, 6, 10}}, cell);
    for (std::size_t i = 0; i < field.distance.size(); ++i)
        field.distance[i] += random(i, 3, -noise, noise);
    return field;
}

TEST(FieldTrace, what_slides_along_a_flat_wall_goes_all_of_its_way) {
    for (const float noise : {0.f, 6e-14f, 6e-8f, 1e-6f, 1e-4f}) {
        const Field field = rough_floor(noise);
        const WallField wall = placed(field);
        Vec3f x{-90, contact_gap, 0};
        float wanted = 0;
        for (int step = 0; step < 200; ++step) {
            const float go = random(static_cast<std::uint64_t>(step), 1, 0.1f, 1.5f);
            Vec3f to = x + Vec3f{go, -random(static_cast<std::uint64_t>(step), 2, 0.f, 0.5f), 0};
            WallHit hit;
            if (!wall.is_clear(x, to, Start::now)) wall.trace(x, to, Start::now, hit);
            wanted += go;
            x = to;
            // Noise of distances, and a touch above the gap that a way may end in.
            ASSERT_NEAR(x.y, contact_gap, 0.02 * cell + 2 * static_cast<double>(noise) * cell) << "noise " << noise;
        }
        // Rounding of 200 steps.
        EXPECT_NEAR(x.x + 90, wanted, 1e-3 * static_cast<double>(wanted)) << "noise " << noise;
    }
}

TEST(FieldTrace, what_slides_in_a_hollow_goes_along_it) {
    // A ball of liquid in solid: ways of four cells along its wall.
    for (const double radius : {5 * cell, 15 * cell, 50 * cell}) {
        const Vec3d reach{radius + 4, radius + 4, 6};
        const Field field =
            field_of([&](Vec3d p) { return radius - std::hypot(p.x, p.y); }, {-reach, reach}, cell, solid_block);
        const WallField wall = placed(field);
        const auto at = static_cast<float>(radius) - contact_gap;
        for (int k = 0; k < 100; ++k) {
            const float angle = random(static_cast<std::uint64_t>(k), 4, 0.f, 6.28f);
            const Vec3f from = Vec3f{std::cos(angle), std::sin(angle), 0} * at;
            const Vec3f along{-std::sin(angle), std::cos(angle), 0};
            constexpr float way = 4 * static_cast<float>(cell);
            Vec3f to = from + along * way;
            WallHit hit;
            wall.trace(from, to, Start::now, hit);
            // Distances of a curved wall are not quite linear in a cell.
            ASSERT_GE(wall.distance_only(to), contact_gap - 1e-3f);
            // The tangent's projection on a circle: the chord is shorter than the way.
            const float gone = at * std::abs(std::atan2(from.x * to.y - from.y * to.x, dot(from, to)));
            EXPECT_GT(gone, 0.75f * at * std::atan(way / at)) << "radius " << radius;
        }
    }
}

TEST(FieldTrace, nothing_gets_through_a_shell_at_any_angle) {
    // The thinnest shell that fields have: 1.8 cells.
    const Field field = field_of([](Vec3d p) { return std::abs(p.y) - 0.9 * cell; }, {{-40, -4, -4}, {40, 4, 4}}, cell);
    const WallField wall = placed(field);
    for (std::uint64_t k = 0; k < 20000; ++k) {
        const Vec3f from{random(k, 1, -10, 10), static_cast<float>(0.9 * cell) + contact_gap + random(k, 2, 0, 0.2f),
                         0};
        const float angle = -1.5707f * std::pow(random(k, 3, 0, 1), 3.f), way = random(k, 4, 0.01f, 20);
        Vec3f to = from + Vec3f{std::cos(angle), std::sin(angle), 0} * way;
        WallHit hit;
        wall.trace(from, to, Start::now, hit);
        ASSERT_GE(to.y, static_cast<float>(0.9 * cell) + contact_gap - 1e-4f) << "way " << k;
    }
}

TEST(FieldTrace, a_wall_as_it_was_before_the_step_has_its_distances_and_velocities_of_then) {
    const Field field = field_of([](Vec3d p) { return length(p) - 2; }, {{-6, -6, -6}, {6, 6, 6}}, cell);
    geometry::Pose before, now;
    before.position = {10, 3, 1};
    now.position = {12, 3, 1};
    const WallField wall = place_field(field, {before, now}, {{1, 0, 0}, 1, 0.5});
    const WallField earlier = as_before(wall);
    EXPECT_NEAR(wall.distance_only({14, 3, 1}), 1, 0.05);
    EXPECT_NEAR(earlier.distance_only({12, 3, 1}), 1, 0.05);
    EXPECT_NEAR(earlier.distance({12, 3, 1}).gradient.x, 1, 0.01);
    EXPECT_NEAR(earlier.velocity_at({12, 3, 1}).x, 4, 1e-5);
    const Vec3f there{9.5f, 4, 2}, again = earlier.back(earlier.before(there));
    EXPECT_NEAR(length(again - there), 0, 1e-4);
}

TEST(FieldTrace, points_of_a_turning_wall_go_where_their_velocity_before_the_step_takes_them) {
    const Field field = field_of([](Vec3d p) { return length(p) - 2; }, {{-6, -6, -6}, {6, 6, 6}}, cell);
    constexpr double angle = 0.02, dt = 0.1;
    geometry::Pose before, now;
    before.position = {100, 0, 0};
    now.position = {100.5, 0, 0};
    now.x = {std::cos(angle), std::sin(angle), 0};
    now.y = {-std::sin(angle), std::cos(angle), 0};
    const WallField wall = place_field(field, {before, now}, {{}, 1, dt});
    // A point at the surface, as the field stood and as it stands.
    const Vec3d from{102, 0, 0}, to = now.position + now.x * 2;
    const Vec3d moved = vec_cast<double>(as_before(wall).velocity_at(vec_cast<float>(from))) * dt;
    // The turn's chord against its tangent: half the square of the angle.
    EXPECT_NEAR(length(from + moved - to), 0, 2 * angle * angle);
}

}  // namespace
}  // namespace spindrift::collision
