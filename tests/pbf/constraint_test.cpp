#include <cmath>

#include "constraint_fixture.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"

namespace spindrift::pbf {
namespace {

std::string state_hash(const ParticleStore& particles) {
    return Hash64().add(particles.position()).add(particles.velocity()).hex();
}

TEST(Constraint, the_more_important_one_has_the_last_word) {
    const auto run = [](int first, int second) {
        ParticleStore particles;
        add_particle(particles, {});
        Solver solver({}, {water});
        solver.add_constraint(pin(0, {spacing, 0, 0}), first);
        solver.add_constraint(pin(0, {2 * spacing, 0, 0}), second);
        solver.step(particles, {}, {}, dt);
        return std::lround(position_of(particles, 0).x / spacing);
    };
    EXPECT_EQ(run(1, 2), 2);
    EXPECT_EQ(run(2, 1), 1);
    EXPECT_EQ(run(-2, -1), 2);
    EXPECT_EQ(run(1, -1), 1);
    EXPECT_EQ(run(3, 3), 2);
}

TEST(Constraint, density_has_the_last_word_over_what_is_less_important) {
    const auto offset = [](int importance) {
        ParticleStore particles;
        add_particle(particles, {});
        add_particle(particles, {0.3 * spacing, 0, 0});  // too close: density drives the pair apart
        Solver solver({}, {water});
        solver.add_constraint(pin(0, {}), importance);
        solver.step(particles, {}, {}, dt);
        return length(position_of(particles, 0));
    };
    EXPECT_GT(offset(-1), 100 * rounding);
    EXPECT_EQ(offset(1), 0);
}

TEST(Constraint, importance_zero_and_nonsense_are_refused) {
    Solver solver({}, {water});
    EXPECT_THROW(solver.add_constraint(pin(0, {}), 0), UsageError);
    EXPECT_THROW(solver.add_constraint(nullptr, 1), UsageError);
    EXPECT_THROW(constraints::PinConstraint({}, 1.5), UsageError);
    EXPECT_THROW(constraints::DistanceConstraint({}, -1), UsageError);
    EXPECT_THROW(constraints::DistanceConstraint({}, 0, 0), UsageError);
    EXPECT_THROW(constraints::DistanceConstraint({{4, 4, 1}}), UsageError);
    EXPECT_THROW(constraints::DistanceConstraint({{4, 5, NAN}}), UsageError);
}

TEST(Constraint, particles_that_are_gone_are_ignored_quietly) {
    ParticleStore particles;
    const std::vector<constraints::DistanceLink> links = add_rope(particles, 3, {});
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(links), 1);
    solver.add_constraint(pin(1, {0, 1, 0}), 2);
    solver.add_constraint(pin(4711, {}), 2);
    particles.kill(1);
    solver.step(particles, {}, {}, dt);
    EXPECT_EQ(particles.size(), 2u);
    EXPECT_NEAR(position_of(particles, 0).x, 0, rounding);
    EXPECT_NEAR(position_of(particles, 2).x, 2 * spacing, rounding);
}

/// Moves one particle by the same in every iteration.
struct Push : constraints::Constraint {
    explicit Push(Vec3d by_) : by(by_) {}
    void project(constraints::ConstraintContext& context) override {
        if (const auto i = context.find(0)) context.move(*i, by);
    }
    Vec3d by;
};

TEST(Constraint, acceleration_does_not_amplify_what_constraints_do) {
    for (const int importance : {-1, 1}) {
        ParticleStore particles;
        add_particle(particles, {});
        SolverParams params;
        params.iterations = 10;
        Solver solver(params, {water});
        solver.add_constraint(std::make_shared<Push>(Vec3d{0.001, 0, 0}), importance);
        solver.step(particles, {}, {}, dt);
        EXPECT_NEAR(position_of(particles, 0).x, 0.01, rounding);
    }
}

TEST(Constraint, nobody_is_pulled_into_a_wall) {
    for (const int importance : {-1, 1}) {
        ParticleStore particles;
        add_block(particles, 4);
        const collision::Walls walls = box_walls(4 * spacing);
        Solver solver({}, {water});
        solver.add_constraint(pin(0, {-spacing, -spacing, 0.5 * spacing}), importance);
        solver.add_constraint(std::make_shared<Push>(Vec3d{-0.01, 0, 0}), importance);
        for (int step = 0; step < 5; ++step) {
            solver.step(particles, gravity(), walls, dt);
            for (const Float4& x : particles.position()) {
                const Vec3f in_radii = x.xyz() / static_cast<float>(water.support_radius());
                EXPECT_TRUE(walls.is_free(in_radii, 0.99f * collision::contact_gap));
            }
        }
    }
}

TEST(Constraint, density_pushes_nobody_into_a_wall_that_was_far_away) {
    // The loops look for walls where particles are predicted: here too far off to see any.
    ParticleStore particles;
    add_particle(particles, Vec3d{10, 10, 10} * spacing);
    add_particle(particles, Vec3d{10.3, 10, 10} * spacing);
    const collision::Walls walls = box_walls(20 * spacing);
    Solver solver({}, {water});
    solver.add_constraint(pin(0, Vec3d{0, 10, 10} * spacing), -1);
    solver.add_constraint(pin(1, Vec3d{0.3, 10, 10} * spacing), -1);
    solver.step(particles, {}, walls, dt);
    const double gap = collision::contact_gap * water.support_radius();
    EXPECT_NEAR(position_of(particles, 0).x, gap, rounding);
    EXPECT_GT(position_of(particles, 1).x, 0.3 * spacing);
}

/// What a particle can reach that tries to go somewhere.
struct Attempt : constraints::Constraint {
    void project(constraints::ConstraintContext& context) override {
        context.set_position(0, {-1, 1, 0.1});
        reached = context.position(0);
    }
    Vec3d reached{};
};

TEST(Constraint, a_constraint_sees_at_once_where_walls_stop_its_move) {
    ParticleStore particles;
    add_particle(particles, {0.1, 0.1, 0.1});
    Solver solver({}, {water});
    const auto attempt = std::make_shared<Attempt>();
    solver.add_constraint(attempt, 1);
    solver.step(particles, {}, box_walls(0.2), dt);
    const double gap = collision::contact_gap * water.support_radius();
    EXPECT_LT(length(attempt->reached - Vec3d{gap, 0.2 - gap, 0.1}), rounding);
}

TEST(Constraint, pins_hold_when_a_tolerance_ends_the_iterations) {
    ParticleStore particles;
    add_block(particles, 6);
    SolverParams params;
    params.iterations = 20;
    params.tolerance = 0.01;
    Solver solver(params, {water});
    const Vec3d point = position_of(particles, 100);
    solver.add_constraint(std::make_shared<Push>(Vec3d{0.0001, 0, 0}), -1);
    solver.add_constraint(pin(100, point), 1);
    solver.add_constraint(pin(0, {}), 1);
    for (int step = 0; step < 10; ++step) {
        EXPECT_LT(solver.step(particles, gravity(), box_walls(8 * spacing), dt).iterations, 20);
        EXPECT_LT(length(position_of(particles, 100) - point), rounding);
    }
}

std::string run_rope_in_liquid(int threads) {
    const ThreadLimit limit(threads);
    ParticleStore particles;
    add_block(particles, 12);
    const std::vector<constraints::DistanceLink> links = add_rope(particles, 10, {0.5 * spacing, 13 * spacing, 0.1});
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<constraints::DistanceConstraint>(links), 1);
    solver.add_constraint(pin(links[0].a, {0.5 * spacing, 13 * spacing, 0.1}), 2);
    for (int step = 0; step < 20; ++step)
        solver.step(particles, gravity(), box_walls(20 * spacing), dt);
    return state_hash(particles);
}

TEST(Constraint, same_bits_for_any_number_of_threads) {
    EXPECT_EQ(run_rope_in_liquid(1), run_rope_in_liquid(4));
}

TEST(Constraint, a_constraint_on_no_particles_changes_no_bit) {
    const auto run = [](bool constrained, double tension) {
        ParticleStore particles;
        add_block(particles, 12);
        Liquid liquid = water;
        liquid.attraction = tension;
        Solver solver({}, {liquid});
        if (constrained) {
            solver.add_constraint(std::make_shared<constraints::PinConstraint>(std::vector<constraints::Pin>{}), 1);
            solver.add_constraint(
                std::make_shared<constraints::DistanceConstraint>(std::vector<constraints::DistanceLink>{}), -1);
        }
        for (int step = 0; step < 20; ++step)
            solver.step(particles, gravity(), box_walls(20 * spacing), dt);
        return state_hash(particles);
    };
    EXPECT_EQ(run(false, 0), run(true, 0));
    EXPECT_EQ(run(false, 0.1), run(true, 0.1));
}

/// The example of docs/constraints.md.
class Globe : public constraints::Constraint {
  public:
    Globe(Vec3d center, double radius) : center_(center), radius_(radius) {}

    void project(constraints::ConstraintContext& context) override {
        parallel_for(context.size(), [&](Range range) {
            for (std::size_t i : range) {
                const Vec3d from_center = context.position(i) - center_;
                const double distance = length(from_center);
                if (distance > radius_) context.move(i, from_center * (radius_ / distance - 1));
            }
        });
    }

  private:
    Vec3d center_;
    double radius_;
};

TEST(Constraint, a_globe_holds_the_liquid_inside) {
    ParticleStore particles;
    add_block(particles, 8);
    const Vec3d center = Vec3d{4, 4, 4} * spacing;
    const double radius = 8 * spacing;
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<Globe>(center, radius), 1);
    for (int step = 0; step < 60; ++step)
        solver.step(particles, gravity(), {}, dt);
    double lowest = 0;
    for (std::int64_t id = 0; id < 8 * 8 * 8; ++id) {
        EXPECT_LE(length(position_of(particles, id) - center), radius + rounding);
        lowest = std::min(lowest, position_of(particles, id).y - center.y);
    }
    EXPECT_LT(lowest, -0.95 * radius);  // it fell to the bottom
}

/// Looks at every particle through the context, and whether ids and indices agree.
struct Census : constraints::Constraint {
    void begin_step(constraints::ConstraintContext& context) override {
        for (std::size_t i = 0; i < context.size(); ++i) {
            matching += context.find(context.id(i)) == i;
            mass += 1 / context.inverse_mass(i);
            spacings += context.spacing(i);
            liquids += context.liquid(i);
        }
    }
    void project(constraints::ConstraintContext& context) override { iterations = context.iteration(); }
    std::size_t matching = 0, liquids = 0;
    int iterations = 0;
    double mass = 0, spacings = 0;
};

TEST(Constraint, the_context_knows_ids_masses_and_liquids) {
    for (const std::int64_t gap : {std::int64_t{0}, std::int64_t{1} << 40}) {
        ParticleStore particles;
        particles.add_channel(phase_channel, {ScalarType::u16, 1});
        add_block(particles, 3);
        particles.next_id += gap;  // ids far apart are found as well
        add_particle(particles, {1, 1, 1});
        particles.find_channel(phase_channel)->as<std::uint16_t>()[27] = 1;
        Solver solver({}, {water, {.spacing = 0.5 * spacing, .density = 800}});
        const auto census = std::make_shared<Census>();
        solver.add_constraint(census, 1);
        solver.step(particles, gravity(), {}, dt);
        EXPECT_EQ(census->matching, 28u);
        EXPECT_EQ(census->liquids, 1u);
        EXPECT_EQ(census->iterations, 4);
        EXPECT_NEAR(census->mass, 27 * 8e-3 + 8e-4, 1e-9);
        EXPECT_NEAR(census->spacings, 27.5 * spacing, 1e-9);
    }
}

}  // namespace
}  // namespace spindrift::pbf
