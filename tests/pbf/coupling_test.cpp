#include "free_body.h"
#include <gtest/gtest.h>

#include "spindrift/pbf/step.h"

namespace spindrift {
namespace {

constexpr double d = 0.025, h = 2 * d, dt = 1.0 / 240;

/// A block of water with a box in its middle or above it.
struct Water {
    pbf::SolverParams params{};
    pbf::Solver solver;
    ParticleStore particles;
    forces::ForceSet forces{};
    collision::Walls walls;
    FreeBox box;

    Water(const Box3d& block, FreeBox body, bool coarse = true)
        : params(with(coarse)), solver(params, {{.spacing = d, .density = 1000}}), box(std::move(body)) {
        const collision::StepUnits units{{}, h, 0};
        box.begin(walls, units, {});
        const collision::Walls& solid = box.place();
        std::vector<Vec3f> x;
        for (double z = block.lo.z + d / 2; z < block.hi.z; z += d) {
            for (double y = block.lo.y + d / 2; y < block.hi.y; y += d) {
                for (double u = block.lo.x + d / 2; u < block.hi.x; u += d) {
                    const Vec3f p = vec_cast<float>(Vec3d{u, y, z});
                    if (solid.is_free(p / static_cast<float>(h), 0.22f)) x.push_back(p);
                }
            }
        }
        const Range born = particles.append(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            particles.position()[born.first + i] = {x[i].x, x[i].y, x[i].z, 0};
    }
    static pbf::SolverParams with(bool coarse) {
        pbf::SolverParams params;
        params.coarse = coarse;
        params.smoothing = 0;
        return params;
    }

    void step(Vec3d gravity = {}) {
        forces.gravity = vec_cast<float>(gravity);
        box.begin(walls, {{}, h, dt}, gravity);
        solver.step(particles, forces, box.place(), dt, &box);
        box.end();
    }
    Vec3d momentum() const {
        Vec3d sum = box.state.velocity * box.mass;
        for (const Float4& v : particles.velocity())
            sum += vec_cast<double>(v.xyz()) * (1000 * d * d * d);
        return sum;
    }
};

FreeBox cube(double ratio, Vec3d at, Vec3d velocity = {}) {
    FreeBox box({0.2, 0.2, 0.2}, 1000 * ratio, d, h);
    box.state.center = at;
    box.state.velocity = velocity;
    return box;
}

/// V14: what liquid and bodies have together stays. The tolerance is what floats leave of sums over 13 k particles.
void expect_momentum_kept(double ratio, bool coarse) {
    Water water({{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}}, cube(ratio, {-0.42, 0.02, 0.01}, {1, 0, 0}), coarse);
    const Vec3d before = water.momentum();
    double worst = 0;
    for (int k = 0; k < 80; ++k) {
        water.step();
        worst = std::max(worst, length(water.momentum() - before));
    }
    EXPECT_LT(worst, 1e-5 * length(before));
    // It did hit: a good part of its momentum is the liquid's now.
    EXPECT_LT(water.box.state.velocity.x, 0.9);
}

TEST(Coupling, momentum_of_a_light_cube_and_the_blob_it_hits_is_kept) {
    expect_momentum_kept(0.5, true);
}

TEST(Coupling, momentum_of_a_heavy_cube_and_the_blob_it_hits_is_kept) {
    expect_momentum_kept(2, true);
}

TEST(Coupling, momentum_is_kept_without_the_coarse_projection) {
    expect_momentum_kept(0.5, false);
}

/// A constraint has the iterations begin with a copy of the positions: what bodies did in the step before is not in it.
TEST(Coupling, a_constraint_that_asks_for_nothing_changes_nothing) {
    struct Nothing final : constraints::Constraint {
        void project(constraints::ConstraintContext&) override {}
    };
    const auto speed_after = [](bool constrained) {
        Water water({{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}}, cube(0.5, {-0.42, 0.02, 0.01}, {1, 0, 0}), false);
        if (constrained) water.solver.add_constraint(std::make_shared<Nothing>(), 1);
        for (int k = 0; k < 40; ++k)
            water.step();
        return water.box.state.velocity.x;
    };
    // Momentum from nowhere is not spread over the liquid if somebody else may move it: that is 0.3 %.
    EXPECT_NEAR(speed_after(true), speed_after(false), 5e-3);
}

/// What lifts a body under water, as a share of what its volume weighs.
double lifted_share(Vec3d size, Vec3d center) {
    // So heavy that nothing moves it, and held against its weight.
    FreeBox body(size, 1e9, std::min(d, size.x / 6), h);
    body.state.center = center;
    Water water({{0, 0, 0}, {0.6, 0.4, 0.6}}, std::move(body));
    collision::DomainParams tank;
    tank.box = {{0, 0, 0}, {0.6, 1, 0.6}};
    water.walls = collision::make_walls(tank, {}, {}, h);
    double given = 0;
    for (int k = 0; k < 60; ++k) {
        const double before = water.box.taken.linear.y;
        water.forces.gravity = {0, -9.81f, 0};
        water.box.begin(water.walls, {{}, h, dt}, {});
        water.solver.step(water.particles, water.forces, water.box.place(), dt, &water.box);
        if (k >= 30) given += (water.box.taken.linear.y - before) / 30;
    }
    return given / dt / (1000 * 9.81 * size.x * size.y * size.z);
}

/// The liquid's own solve says what a body weighs under water, wherever its faces lie among the cells. Particles beside
/// it are no continuum.
TEST(Coupling, a_body_under_water_is_lifted_by_its_volume) {
    for (const double shift : {0.0, 0.013, 0.031}) {
        EXPECT_NEAR(lifted_share({0.12, 0.1, 0.12}, {0.3, 0.2 + shift, 0.3}), 1, 0.04) << shift;
        // One of a cell and a fifth.
        EXPECT_NEAR(lifted_share({2.4 * d, 2.4 * d, 2.4 * d}, {0.3 + shift, 0.2 + 0.5 * shift, 0.3 - shift}), 1, 0.06)
            << shift;
    }
}

TEST(Coupling, a_body_far_lighter_than_the_liquid_it_moves_does_not_shake) {
    for (const double ratio : {0.05, 0.1}) {
        Water water({{0, 0, 0}, {0.6, 0.3, 0.6}}, cube(ratio, {0.3, 0.38, 0.3}));
        collision::DomainParams tank;
        tank.box = {{0, 0, 0}, {0.6, 1, 0.6}};
        water.walls = collision::make_walls(tank, {}, {}, h);
        double fastest = 0;
        for (int k = 0; k < 240; ++k) {
            water.step({0, -9.81, 0});
            if (k > 120) fastest = std::max(fastest, length(water.box.state.velocity));
        }
        // Waves of its own fall still move it; a coupling that is unstable throws it at metres per second.
        EXPECT_LT(fastest, 0.4) << ratio;
        EXPECT_NEAR(water.box.state.center.y, 0.4 - 0.2 * ratio, 0.03) << ratio;
    }
}

}  // namespace
}  // namespace spindrift
