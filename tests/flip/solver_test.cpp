// Steps of the whole solver: motion that is known exactly, symmetry, thin layers, stray particles.

#include <array>
#include <cmath>

#include "liquid_fixture.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"

namespace spindrift::flip {
namespace {

constexpr std::array methods{fluid::Method::flip, fluid::Method::apic, fluid::Method::pic};

Solver make_solver(fluid::Method method, const FlipParams& params, ParticleStore& particles) {
    Solver solver(method, params, {water});
    solver.declare_channels(particles);
    return solver;
}

/// Largest difference between velocities of particles and one that all should have.
double largest_difference(const ParticleStore& particles, Vec3d velocity) {
    double most = 0;
    for (const Float4& v : particles.velocity())
        most = std::max(most, length(vec_cast<double>(v.xyz()) - velocity));
    return most;
}

/// What floats make of a speed of some m/s in a few dozen steps.
constexpr double rounding = 2e-5;

TEST(Solver, a_ball_falls_and_flies_as_one) {
    for (const fluid::Method method : methods) {
        ParticleStore particles;
        add_ball(particles, {0.011, 3.017, -0.023}, 7 * spacing);
        const Vec3d start{1, -2, 0.5};
        set_velocity(particles, [&](Vec3d) { return start; });
        std::vector<Vec3d> before(particles.size()), after(particles.size());
        const auto remember = [&](std::vector<Vec3d>& x) {
            particles.settle();
            const auto id = particles.find_channel("id")->as<std::int64_t>();
            for (std::size_t i = 0; i < particles.size(); ++i)
                x[static_cast<std::size_t>(id[i])] = vec_cast<double>(particles.position()[i].xyz());
        };
        remember(before);
        Solver solver = make_solver(method, {}, particles);
        const double dt = 0.01;
        const int steps = 30;
        for (int step = 0; step < steps; ++step)
            solver.step(particles, gravity(), {}, dt);
        const double t = steps * dt;
        EXPECT_LT(largest_difference(particles, start + Vec3d{0, -g * t, 0}), rounding);
        remember(after);
        // Symplectic Euler: y = v t - g t (t + dt) / 2.
        const Vec3d way = start * t + Vec3d{0, -0.5 * g * t * (t + dt), 0};
        for (std::size_t i = 0; i < before.size(); ++i)
            ASSERT_LT(length(after[i] - before[i] - way), rounding);
    }
}

TEST(Solver, what_is_symmetric_stays_so) {
    // A block in the middle of a box collapses to both sides. Sums run in the order of the particles, which has no
    // mirror image: differences of rounding are left, 1e-5 spacings here, and grow with splashes later on.
    for (const fluid::Method method : methods) {
        ParticleStore particles;
        const double half = 6 * cell;
        add_liquid(particles, {{-half, 0, 0}, {half, 10 * cell, 4 * cell}});
        Solver solver = make_solver(method, {.reseed = false}, particles);
        const collision::Walls walls = box_walls({{-3 * half, 0, 0}, {3 * half, 20 * cell, 4 * cell}});
        for (int step = 0; step < 40; ++step)
            solver.step(particles, gravity(), walls, 0.005);
        particles.settle();
        const auto id = particles.find_channel("id")->as<std::int64_t>();
        // The lattice was made by rows along x.
        constexpr std::size_t row = 24;
        std::vector<Vec3d> x(particles.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            x[static_cast<std::size_t>(id[i])] = vec_cast<double>(particles.position()[i].xyz());
        double most = 0, moved = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d image = x[i / row * row + row - 1 - i % row];
            most = std::max(most, length(Vec3d{-image.x, image.y, image.z} - x[i]));
            moved = std::max(moved, x[i].x);
        }
        fmt::print("front {:.3f} m, asymmetry {:.2e} spacings\n", moved, most / spacing);
        EXPECT_GT(moved, 1.3 * half);
        EXPECT_LT(most, 1e-3 * spacing);
    }
}

TEST(Solver, a_thin_layer_leaves_the_ceiling_and_falls) {
    // Nothing holds them there: a pressure below that of the air would have to.
    for (const fluid::Method method : methods) {
        const Box3d room{{0, 0, 0}, {8 * cell, 12 * cell, 8 * cell}};
        ParticleStore particles;
        add_liquid(particles, {{0, 11 * cell, 0}, {8 * cell, 12 * cell, 8 * cell}});
        Solver solver = make_solver(method, {}, particles);
        for (int step = 0; step < 16; ++step)
            solver.step(particles, gravity(), box_walls(room), 0.01);
        double highest = 0;
        for (const Float4& x : particles.position())
            highest = std::max(highest, static_cast<double>(x.y));
        // A free fall of 16 steps; measured are 9 % of a spacing less.
        EXPECT_NEAR(highest, room.hi.y - spacing / 2 - 0.5 * g * 0.16 * 0.17, 0.1 * spacing);
    }
}

TEST(Solver, single_particles_and_pairs_fly_on_their_own) {
    for (const int count : {1, 2}) {
        for (const int spray : {0, 6}) {
            ParticleStore particles;
            add_liquid(particles, {{0, 0, 0}, {count * spacing, spacing, spacing}});
            ASSERT_EQ(particles.size(), static_cast<std::size_t>(count));
            Solver solver = make_solver(fluid::Method::apic, {.spray = spray}, particles);
            for (int step = 0; step < 50; ++step)
                solver.step(particles, gravity(), {}, 0.01);
            // Air holds a drop of 12 mm back by 1 % after half a second at 5 m/s; on the grid there is none.
            const double fall = g * 0.5;
            EXPECT_NEAR(static_cast<double>(particles.velocity()[0].y), -fall, (spray > 0 ? 0.02 : 1e-4) * fall);
            if (spray > 0) {
                EXPECT_GT(static_cast<double>(particles.velocity()[0].y), -0.999 * fall);
            }
        }
    }
}

TEST(Solver, a_drop_of_spray_lands_on_the_floor_and_stays_there) {
    ParticleStore particles;
    add_liquid(particles, {{0, 0.3, 0}, {spacing, 0.3 + spacing, spacing}});
    Solver solver = make_solver(fluid::Method::flip, {}, particles);
    for (int step = 0; step < 100; ++step)
        solver.step(particles, gravity(), box_walls({{-1, 0, -1}, {1, 1, 1}}), 0.01);
    ASSERT_EQ(particles.size(), 1u);
    EXPECT_GE(particles.position()[0].y, 0);
    EXPECT_LT(particles.position()[0].y, 0.5 * spacing);
    EXPECT_LT(fastest(particles), 0.2);
}

TEST(Solver, an_empty_store_is_fine) {
    ParticleStore particles;
    Solver solver = make_solver(fluid::Method::apic, {}, particles);
    EXPECT_EQ(solver.step(particles, gravity(), box_walls({{0, 0, 0}, {1, 1, 1}}), 0.005).max_speed, 0);
    std::vector<float> density;
    EXPECT_EQ(solver.measure_density(particles, density).max_error, 0);
    // And what comes later is moved.
    add_liquid(particles, {{0.2, 0.2, 0.2}, {0.6, 0.6, 0.6}});
    EXPECT_NEAR(solver.step(particles, gravity(), box_walls({{0, 0, 0}, {1, 1, 1}}), 0.005).max_speed, g * 0.005,
                rounding);
}

TEST(Solver, killed_and_escaped_particles_leave) {
    ParticleStore particles;
    add_liquid(particles, {{0, 0, 0}, {6 * spacing, 6 * spacing, 6 * spacing}});
    Solver solver = make_solver(fluid::Method::flip, {}, particles);
    particles.kill(10);
    particles.position()[20].x = 1e9f;
    const fluid::StepReport report = solver.step(particles, {}, {}, 0.005);
    EXPECT_EQ(particles.size(), 6u * 6 * 6 - 2);
    EXPECT_EQ(report.escaped, 1u);
    EXPECT_EQ(report.not_finite, 0u);
    particles.position()[0].y = NAN;
    EXPECT_EQ(solver.step(particles, {}, {}, 0.005).not_finite, 1u);
    // A particle far away makes no grid between.
    particles.position()[3].x = 2e4f;
    EXPECT_LT(solver.step(particles, {}, {}, 0.005).max_speed, 0.1);
    EXPECT_LT(solver.grid().leaves.size(), 100u);
}

TEST(Solver, steps_are_as_long_as_speed_and_gravity_allow) {
    const Solver solver(fluid::Method::flip, {.cfl = 2}, {water});
    EXPECT_DOUBLE_EQ(solver.longest_step_at(4), 2 * solver.cell() / 4);
    EXPECT_DOUBLE_EQ(solver.longest_step({.speed = 4, .acceleration = 0, .frame = 0.04}), 2 * solver.cell() / 4);
    EXPECT_GT(solver.longest_step({.frame = 0.04}), 1e6);
    // With gravity a step ends when the fastest has moved two cells: v dt + g dt^2.
    const double dt = solver.longest_step({.speed = 4, .acceleration = g, .frame = 0.04});
    EXPECT_NEAR(4 * dt + g * dt * dt, 2 * solver.cell(), 1e-9);
    // Capillary waves may cross an eighth of a cell.
    fluid::Liquid drop = water;
    drop.surface_tension = 40;
    EXPECT_NEAR(Solver(fluid::Method::flip, {}, {drop}).longest_step({.frame = 0.04}),
                0.125 * std::sqrt(1000 * std::pow(cell, 3) / 40), 1e-6);
}

TEST(Solver, has_no_state_and_takes_none) {
    Solver solver(fluid::Method::flip, {}, {water});
    EXPECT_TRUE(solver.state().empty());
    const std::vector<double> of_another = {1, 2, 3};
    EXPECT_THROW(solver.set_state(of_another), UsageError);
}

}  // namespace
}  // namespace spindrift::flip
