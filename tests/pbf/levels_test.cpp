// Iterations by level: particles that are finished stay where they are, and nothing comes from nowhere at the border.

#include <cstdio>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"
#include "spindrift/pbf/active_clusters.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {
namespace {

constexpr double spacing = 0.02, dt = 0.004;
constexpr Liquid water{.spacing = spacing, .density = 1000, .viscosity = 1e-6};

/// A block of n x 10 x 10 particles, a little too close together, so that iterations have something to do.
ParticleStore squeezed_block(int n) {
    ParticleStore particles;
    std::size_t i = particles.append(static_cast<std::size_t>(n) * 100).first;
    for (int z = 0; z < 10; ++z) {
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < n; ++x, ++i) {
                const auto at = [](int k) { return static_cast<float>((k + 0.5) * 0.98 * spacing); };
                particles.position()[i] = {at(x), at(y), at(z), 0};
            }
        }
    }
    return particles;
}

template <class LevelAt>
void set_levels(ParticleStore& particles, const LevelAt& level_at) {
    ChannelArray* channel = particles.find_channel(level_channel);
    if (!channel) channel = &particles.add_channel(level_channel, level_type);
    for (std::size_t i = 0; i < particles.size(); ++i)
        channel->as<std::uint8_t>()[particles.slot(i)] =
            static_cast<std::uint8_t>(level_at(particles.position()[i].xyz()));
}

collision::Walls box_walls() {
    collision::DomainParams domain;
    domain.box = {{0, 0, 0}, {1.2, 0.3, 0.2}};
    return collision::make_walls(domain, {}, {}, water.support_radius());
}

std::string state_hash(const ParticleStore& particles) {
    return Hash64().add(particles.position()).add(particles.velocity()).hex();
}

SolverParams with_iterations(int n) {
    SolverParams params;
    params.iterations = n;
    return params;
}

/// Position and velocity of each particle after a step, by its slot.
std::map<std::uint32_t, std::pair<Vec3f, Vec3f>> after_step(ParticleStore&& particles, int iterations) {
    Solver solver(with_iterations(iterations), {water});
    solver.step(particles, {}, box_walls(), dt);
    std::map<std::uint32_t, std::pair<Vec3f, Vec3f>> all;
    for (std::size_t i = 0; i < particles.size(); ++i)
        all[particles.slot(i)] = {particles.position()[i].xyz(), particles.velocity()[i].xyz()};
    return all;
}

TEST(ActiveClusters, leave_when_their_level_is_reached) {
    ActiveClusters active(std::vector<std::uint8_t>{2, 4, 3, 2, 4});
    EXPECT_TRUE(active.advance_to(1));
    EXPECT_EQ(active.indices(), nullptr);
    EXPECT_EQ(active.size(), 5u);
    EXPECT_TRUE(active.advance_to(2));
    EXPECT_EQ(active.size(), 5u);
    EXPECT_TRUE(active.advance_to(3));
    EXPECT_EQ(std::vector(active.indices(), active.indices() + active.size()), (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(std::vector(active.just_finished().begin(), active.just_finished().end()),
              (std::vector<std::uint32_t>{0, 3}));
    EXPECT_TRUE(active.advance_to(4));
    EXPECT_EQ(std::vector(active.just_finished().begin(), active.just_finished().end()),
              (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(active.finished().size(), 3u);
    EXPECT_FALSE(active.advance_to(5));
    EXPECT_EQ(active.finished().size(), 5u);

    ActiveClusters all(7);
    EXPECT_TRUE(all.advance_to(1000));
    EXPECT_EQ(all.size(), 7u);
    EXPECT_FALSE(ActiveClusters().advance_to(1));
}

TEST(Levels, the_same_for_all_are_the_plain_solver_bit_for_bit) {
    ParticleStore plain = squeezed_block(30), same = squeezed_block(30), lower = squeezed_block(30),
                  short_plain = squeezed_block(30);
    set_levels(same, [](Vec3f) { return 5; });
    set_levels(lower, [](Vec3f) { return 3; });
    Solver five(with_iterations(5), {water}), leveled(with_iterations(5), {water}),
        lowered(with_iterations(5), {water}), three(with_iterations(3), {water});
    forces::ForceSet gravity;
    gravity.gravity = {0, -9.81f, 0};
    for (int step = 0; step < 10; ++step) {
        EXPECT_EQ(five.step(plain, gravity, box_walls(), dt).particle_iterations, 5);
        leveled.step(same, gravity, box_walls(), dt);
        const StepReport report = lowered.step(lower, gravity, box_walls(), dt);
        EXPECT_EQ(report.iterations, 3) << "nobody is left for more";
        EXPECT_EQ(report.particle_iterations, 3);
        const StepReport as_many = three.step(short_plain, gravity, box_walls(), dt);
        EXPECT_EQ(report.mean_density_error, as_many.mean_density_error);
        if (step == 0) {
            EXPECT_GT(report.mean_density_error, 0);
        }
    }
    EXPECT_EQ(state_hash(plain), state_hash(same));
}

TEST(Levels, particles_do_not_move_once_they_and_all_near_them_are_finished) {
    constexpr int n = 50;
    const double middle = 0.5 * n * 0.98 * spacing;
    ParticleStore mixed = squeezed_block(n);
    set_levels(mixed, [&](Vec3f x) { return x.x < static_cast<float>(middle) ? 3 : 8; });
    const auto three = after_step(squeezed_block(n), 3), both = after_step(std::move(mixed), 8);
    // A cluster is a few particles along x, as much as a support is wide, and has the highest of their levels.
    const double reach = 2 * (water.support_radius() + 2 * spacing);
    int resting = 0, moved = 0, beyond = 0;
    for (const auto& [slot, state] : both) {
        const auto x = static_cast<double>(state.first.x);
        if (x < middle - reach) {
            EXPECT_EQ(state, three.at(slot)) << x;
            ++resting;
        }
        moved += x < middle && state != three.at(slot);
        beyond += x > middle && state == three.at(slot);
    }
    EXPECT_GT(resting, 1000);
    EXPECT_GT(moved, 100) << "those beside unfinished ones give way";
    EXPECT_EQ(beyond, 0);
}

TEST(Levels, no_momentum_comes_from_the_border) {
    // A block in free space that flies apart, half of it with few iterations.
    for (const int lowest : {1, 3}) {
        ParticleStore particles = squeezed_block(30);
        Solver solver(with_iterations(6), {water});
        Vec3d momentum{};
        double speed = 0;
        for (int step = 0; step < 20; ++step) {
            set_levels(particles, [&](Vec3f x) { return x.x < 0.3f ? lowest : 6; });
            solver.step(particles, {}, {}, dt);
        }
        for (const Float4& v : particles.velocity()) {
            momentum += vec_cast<double>(v.xyz());
            speed += static_cast<double>(length(v.xyz()));
        }
        // Against the sum of speeds. Pairs that meet within a step may know each other from one side only, and faint
        // ones at the rim of a support are left out: 1e-5 measured; without the neighbours that give way it is 0.08.
        std::printf("momentum %.1e of the sum of speeds\n", length(momentum) / speed);
        EXPECT_LT(length(momentum), 1e-4 * speed) << lowest;
    }
}

TEST(Levels, have_the_same_bits_for_any_number_of_threads) {
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        ParticleStore particles = squeezed_block(40);
        set_levels(particles, [](Vec3f x) { return 1 + static_cast<int>(x.x * 40) % 6; });
        Solver solver(with_iterations(6), {water});
        for (int step = 0; step < 5; ++step)
            solver.step(particles, {}, box_walls(), dt);
        return state_hash(particles);
    };
    EXPECT_EQ(run(1), run(3));
}

TEST(Levels, a_channel_of_another_type_or_of_zeros_gives_all_iterations) {
    ParticleStore zeros = squeezed_block(20), other = squeezed_block(20);
    set_levels(zeros, [](Vec3f) { return 0; });
    other.add_channel(level_channel, {ScalarType::f32, 1});
    Solver a(with_iterations(4), {water}), b(with_iterations(4), {water});
    EXPECT_EQ(a.step(zeros, {}, {}, dt).particle_iterations, 4);
    EXPECT_EQ(b.step(other, {}, {}, dt).particle_iterations, 4);
}

TEST(Levels, a_tolerance_ends_iterations_early) {
    ParticleStore particles = squeezed_block(20);
    set_levels(particles, [](Vec3f x) { return x.x < 0.2f ? 2 : 50; });
    SolverParams params = with_iterations(50);
    params.tolerance = 0.002;
    Solver solver(params, {water});
    const StepReport report = solver.step(particles, {}, {}, dt);
    EXPECT_FALSE(report.flags.has(fluid::StepFlag::not_converged));
    EXPECT_GT(report.iterations, 2);
    EXPECT_LT(report.iterations, 50);
}

}  // namespace
}  // namespace spindrift::pbf
