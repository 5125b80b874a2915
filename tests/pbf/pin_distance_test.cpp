#include <algorithm>

#include "constraint_fixture.h"
#include <gtest/gtest.h>

namespace spindrift::pbf {
namespace {

TEST(PinDistance, pins_hold_exactly_in_falling_and_flowing_liquid) {
    ParticleStore particles;
    add_block(particles, 10);
    std::vector<constraints::Pin> pins;
    for (const std::int64_t id : {33, 555, 556, 909, 999})
        pins.push_back({.id = id, .point = position_of(particles, id)});
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<constraints::PinConstraint>(pins), 1);
    std::vector<Vec3d> held;
    for (int step = 0; step < 60; ++step) {
        solver.step(particles, gravity(), box_walls(20 * spacing), dt);
        for (std::size_t k = 0; k < pins.size(); ++k) {
            const Vec3d at = position_of(particles, pins[k].id);
            if (step == 0) held.push_back(at);
            EXPECT_EQ(at, held[k]);
            EXPECT_LT(length(at - pins[k].point), rounding);
            EXPECT_EQ(velocity_of(particles, pins[k].id), Vec3f{});
        }
    }
    // The rest of the column fell on.
    EXPECT_LT(position_of(particles, 990).y, 6 * spacing);
}

TEST(PinDistance, pins_are_points_of_the_world_wherever_the_origin_is) {
    ParticleStore particles;
    particles.origin = {3e5, 20, -7e4};
    add_particle(particles, particles.origin + Vec3d{0.1, 0, 0});
    const Vec3d point = particles.origin + Vec3d{0.11, 0.02, 0};
    Solver solver({}, {water});
    solver.add_constraint(pin(0, point), 1);
    solver.step(particles, gravity(), {}, dt);
    EXPECT_LT(length(position_of(particles, 0) - point), rounding);
}

TEST(PinDistance, a_pin_that_moves_gives_its_velocity) {
    ParticleStore particles;
    add_particle(particles, {});
    Solver solver({}, {water});
    const auto pins = pin(0, {});
    solver.add_constraint(pins, 1);
    pins->pins()[0].velocity = {0.5, 0, 0};
    for (int step = 0; step < 10; ++step) {
        pins->pins()[0].point += pins->pins()[0].velocity * dt;
        solver.step(particles, gravity(), {}, dt);
    }
    EXPECT_LT(length(position_of(particles, 0) - Vec3d{0.025, 0, 0}), rounding);
    EXPECT_EQ(velocity_of(particles, 0), (Vec3f{0.5f, 0, 0}));
}

TEST(PinDistance, a_soft_pin_covers_its_share_of_the_way_for_any_number_of_iterations) {
    for (const int iterations : {1, 4, 16}) {
        ParticleStore particles;
        add_particle(particles, {});
        SolverParams params;
        params.iterations = iterations;
        Solver solver(params, {water});
        solver.add_constraint(pin(0, {spacing, 0, 0}, 0.25), 1);
        solver.step(particles, {}, {}, dt);
        EXPECT_NEAR(position_of(particles, 0).x, 0.25 * spacing, rounding) << iterations << " iterations";
    }
}

TEST(PinDistance, a_swinging_rope_keeps_its_lengths) {
    ParticleStore particles;
    const std::vector<constraints::DistanceLink> links = add_rope(particles, 12, {});
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(links, 0.0, 8), 1);
    solver.add_constraint(pin(0, {}), 2);
    double lowest = 0;
    for (int step = 0; step < 100; ++step) {
        solver.step(particles, gravity(), {}, dt);
        lowest = std::min(lowest, position_of(particles, 11).y);
    }
    for (const constraints::DistanceLink& link : links) {
        const double now = length(position_of(particles, link.a) - position_of(particles, link.b));
        EXPECT_NEAR(now, spacing, 0.01 * spacing) << "between " << link.a << " and " << link.b;
    }
    EXPECT_LT(lowest, -10.5 * spacing);
}

TEST(PinDistance, a_distance_keeps_momentum_and_shares_the_move_by_mass) {
    ParticleStore particles;
    particles.add_channel(phase_channel, {ScalarType::u16, 1});
    // Out of each other's reach: nothing but the distance acts.
    const double rest = 3 * spacing;
    add_particle(particles, {});
    add_particle(particles, {1.2 * rest, 0, 0});
    particles.find_channel(phase_channel)->as<std::uint16_t>()[1] = 1;
    const Liquid light{.spacing = spacing, .density = 250};
    Solver solver({}, {water, light});
    const std::vector<constraints::DistanceLink> links = {{0, 1, rest}};
    solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(links), 1);
    solver.step(particles, {}, {}, dt);
    const Vec3f heavy_v = velocity_of(particles, 0), light_v = velocity_of(particles, 1);
    EXPECT_NEAR(position_of(particles, 1).x - position_of(particles, 0).x, rest, rounding);
    EXPECT_NEAR(position_of(particles, 0).x, 0.2 * rest * 0.2, rounding);
    // Velocities are differences of positions over dt, and so is their rounding.
    EXPECT_NEAR(1000 * heavy_v.x + 250 * light_v.x, 0, 1000 * rounding / dt);
    EXPECT_GT(heavy_v.x, 0.1);
}

TEST(PinDistance, a_compliant_distance_gives_way_as_a_spring_does) {
    const double rest = 3 * spacing, compliance = 0.1, stretch = compliance * water.particle_mass() * 9.81;
    for (const int iterations : {1, 4, 16}) {
        for (const double step_length : {0.5 * dt, dt}) {
            ParticleStore particles;
            add_particle(particles, {});
            add_particle(particles, {0, -rest - stretch, 0});
            SolverParams params;
            params.iterations = iterations;
            Solver solver(params, {water});
            const std::vector<constraints::DistanceLink> links = {{0, 1, rest}};
            solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(links, compliance), 1);
            solver.add_constraint(pin(0, {}), 2);
            for (int step = 0; step < 100; ++step)
                solver.step(particles, gravity(), {}, step_length);
            // It starts where the spring holds the weight and stays there, but for rounding that swings.
            EXPECT_NEAR(position_of(particles, 1).y, -rest - stretch, 0.01 * stretch)
                << iterations << " iterations of " << step_length << " s";
        }
    }
}

}  // namespace
}  // namespace spindrift::pbf
