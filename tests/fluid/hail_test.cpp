// A method of eighty lines: what docs/extending.md says of a new solver is all there is to do.

#include "hail.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/core/hash.h"

namespace spindrift::hail {
namespace {

constexpr double d = 0.02, h = fluid::support_ratio * d;

ParticleStore stones() {
    ParticleStore particles;
    const Range born = particles.append(1000);
    for (const std::size_t i : born) {
        const auto at = [](std::size_t k) { return 0.02f * static_cast<float>(k); };
        particles.position()[i] = {at(i % 10), 0.5f + at(i / 10 % 10), at(i / 100), 0};
    }
    return particles;
}

collision::Walls ground(double bounce) {
    collision::ColliderParams floor;
    floor.plane = collision::PlaneShape{};
    floor.bounce = bounce;
    return collision::make_walls({}, {&floor, 1}, {}, h);
}

fluid::StepReport fall(ParticleStore& particles, double bounce, int steps) {
    Solver solver({{.spacing = d, .density = 900}});
    forces::ForceSet forces;
    forces.gravity = {0, -9.81f, 0};
    fluid::StepReport report;
    for (int k = 0; k < steps; ++k)
        report = solver.step(particles, forces, ground(bounce), 1e-3, nullptr);
    return report;
}

TEST(Hail, falls_as_energy_says_and_keeps_its_mass) {
    ParticleStore particles = stones();
    const fluid::StepReport report = fall(particles, 0, 200);
    const double mass = 1000 * 900 * d * d * d, speed = 9.81 * 0.2;
    EXPECT_NEAR(report.max_speed, speed, 1e-4 * speed);
    EXPECT_NEAR(report.kinetic_energy, 0.5 * mass * speed * speed, 1e-3 * mass);
}

TEST(Hail, bounces_or_lies) {
    ParticleStore bouncing = stones(), lying = stones();
    EXPECT_GT(fall(bouncing, 0.8, 400).max_speed, 1);
    EXPECT_EQ(fall(lying, 0, 600).max_speed, 0);
    for (const Float4& x : lying.position())
        EXPECT_GE(x.y, 0);
}

TEST(Hail, has_the_same_bits_for_any_number_of_threads) {
    const auto hash = [](int threads) {
        const ThreadLimit limit(threads);
        ParticleStore particles = stones();
        fall(particles, 0.5, 350);
        const ParticleStore& fallen = particles;
        return Hash64().add(fallen.position()).add(fallen.velocity()).hex();
    };
    EXPECT_EQ(hash(1), hash(2));
}

}  // namespace
}  // namespace spindrift::hail
