// Bodies in the viscous solve: what liquid loses they get, whatever they weigh.

#include "spindrift/flip/viscosity/viscous_bodies.h"

#include <cmath>
#include <cstring>

#include "free_balls.h"
#include "viscous_pool.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::flip {

namespace {

const Vec3d middle{16.3, 15.8, 16.1};

/// A ball of liquid in air around one or two bodies; its density is 1.
struct Blob {
    FreeBalls balls;
    ViscousPool pool{{0, 0, 0}, {32, 32, 32}};
    Viscosity viscosity{};

    explicit Blob(std::vector<FreeBalls::Ball> all) : balls(std::move(all)) {
        pool.place(balls.place());
        pool.fill([](Vec3d p) { return length(p - middle) - 11; });
    }
    grid::SolveReport apply(double k, double tolerance = 1e-4) {
        const grid::SolveReport report =
            pool.apply(viscosity, {.dt = 1, .tolerance = tolerance, .constant = k, .coupling = &balls, .density = 1});
        if (!viscosity.impulses().empty()) balls.press(viscosity.impulses());
        return report;
    }
    /// Momentum of the liquid along a motion that strains nothing: what the matrix makes of it is mass alone.
    double along(const grid::AxisFields<float>& velocity, const std::function<Vec3d(Vec3d)>& motion) {
        grid::AxisFields<float> rigid, mass;
        rigid.resize(pool.grid.leaves.size(), 0);
        mass.resize(pool.grid.leaves.size(), 0);
        for (int axis = 0; axis < 3; ++axis)
            mass[axis].fill(0);
        pool.for_cells([&](std::size_t l, int n, Vec3d corner) {
            for (int axis = 0; axis < 3; ++axis)
                rigid[axis].leaf(l)[n] = static_cast<float>(motion(ViscousPool::face(corner, axis))[axis]);
        });
        viscosity.multiply(rigid, mass);
        double sum = 0;
        pool.for_cells([&](std::size_t l, int n, Vec3d) {
            for (int axis = 0; axis < 3; ++axis)
                sum += static_cast<double>(mass[axis].leaf(l)[n]) * static_cast<double>(velocity[axis].leaf(l)[n]);
        });
        return sum;
    }
    grid::AxisFields<float> velocity() {
        grid::AxisFields<float> copy;
        copy.resize(pool.grid.leaves.size(), 0);
        pool.for_cells([&](std::size_t l, int n, Vec3d) {
            for (int axis = 0; axis < 3; ++axis)
                copy[axis].leaf(l)[n] = pool.grid.velocity[axis].leaf(l)[n];
        });
        return copy;
    }
};

FreeBalls::Ball ball(double density, Vec3d center = middle + Vec3d{1.2, -0.7, 0.4}) {
    return {.center = center, .radius = 4, .density = density, .velocity = {{2, -1, 0.5}, {0.1, 0.3, -0.2}}};
}

Vec3d swirl(Vec3d p) {
    return {std::sin(0.3 * p.y), std::cos(0.2 * p.z), std::sin(0.25 * p.x) - 0.5};
}

}  // namespace

TEST(viscous_bodies, momentum_of_liquid_and_bodies_together_stays) {
    for (const double density : {0.1, 10.0}) {
        for (const double k : {0.5, 20.0}) {
            Blob blob({ball(density)});
            blob.pool.set_velocity(swirl);
            const grid::AxisFields<float> before = blob.velocity();
            const FreeBalls::Ball start = blob.balls.balls[0];
            ASSERT_TRUE(blob.apply(k, 1e-5).converged);
            const FreeBalls::Ball& end = blob.balls.balls[0];
            const fluid::Twist got = blob.viscosity.impulses()[0];
            // The sum of what is left of the residuals.
            const double scale = 3 * (length(got.linear) + length(got.angular));
            EXPECT_GT(length(got.linear), 0.1 * start.mass() * std::min(1.0, 1 / density));
            for (int a = 0; a < 3; ++a) {
                Vec3d e{};
                e[a] = 1;
                const auto shift = [&](Vec3d) { return e; };
                const auto turn = [&](Vec3d p) { return cross(e, p); };
                const double lost = blob.along(before, shift) - blob.along(blob.velocity(), shift);
                EXPECT_NEAR(lost, got.linear[a], 3e-4 * scale) << density << ' ' << k << ' ' << a;
                const double turned = blob.along(before, turn) - blob.along(blob.velocity(), turn);
                const Vec3d about_origin = got.angular + cross(start.center, got.linear);
                EXPECT_NEAR(turned, about_origin[a], 3e-4 * 16 * scale) << density << ' ' << k << ' ' << a;
                EXPECT_NEAR((end.velocity.linear - start.velocity.linear)[a] * start.mass(), got.linear[a],
                            1e-9 * scale);
            }
        }
    }
}

TEST(viscous_bodies, liquid_and_body_that_turn_together_turn_on) {
    const Vec3d spin{0.3, -0.7, 0.5}, flight{3, -7, 5};
    const auto motion = [&](Vec3d p) { return flight + cross(spin, p - middle); };
    for (const double density : {0.1, 10.0}) {
        for (const double k : {0.5, 100.0}) {
            FreeBalls::Ball body = ball(density);
            body.velocity = {motion(body.center), spin};
            Blob blob({body});
            blob.pool.set_velocity(motion);
            ASSERT_TRUE(blob.apply(k).converged);
            const fluid::Twist after = blob.balls.balls[0].velocity;
            EXPECT_LT(length(after.linear - body.velocity.linear), 1e-3) << density << ' ' << k;
            EXPECT_LT(length(after.angular - spin), 1e-3) << density << ' ' << k;
        }
    }
}

TEST(viscous_bodies, of_any_weight_end_up_between_their_own_motion_and_the_liquids) {
    // Liquid at rest around one that flies: both have one velocity if viscosity is high.
    for (const double density : {1e-3, 0.1, 1.0, 10.0, 1e3}) {
        for (const double k : {0.1, 1.0, 10.0, 1000.0}) {
            FreeBalls::Ball body = ball(density, middle);
            body.velocity = {{2, 0, 0}, {}};
            Blob blob({body});
            const grid::SolveReport report = blob.apply(k);
            EXPECT_TRUE(report.converged) << density << ' ' << k;
            const double speed = blob.balls.balls[0].velocity.linear.x;
            const double liquid = 4.18879 * (11 * 11 * 11 - 4 * 4 * 4);
            const double common = 2 * body.mass() / (body.mass() + liquid);
            // Measured: 41 at most, of 40 for a body of the liquid's density.
            EXPECT_LE(report.iterations, 60) << density << ' ' << k;
            EXPECT_GT(speed, 0.98 * common) << density << ' ' << k;
            EXPECT_LT(speed, 2) << density << ' ' << k;
            // The ball of liquid is not quite as heavy in cells.
            if (k == 1000) {
                EXPECT_NEAR(speed, common, 0.08 * common) << density;
            }
        }
    }
}

TEST(viscous_bodies, that_are_joined_move_as_one) {
    // Their answers to impulses are no sums of their own, and cannot be undone.
    for (const double k : {0.5, 20.0}) {
        FreeBalls::Ball a = ball(0.5, middle + Vec3d{5, 0, 0}), b = ball(3, middle - Vec3d{5, 0, 0});
        a.velocity = b.velocity = {{2, -1, 0.5}, {}};
        a.radius = b.radius = 3;
        Blob blob({a, b});
        blob.balls.joined = true;
        blob.pool.set_velocity(swirl);
        const grid::AxisFields<float> before = blob.velocity();
        ASSERT_TRUE(blob.apply(k, 1e-5).converged) << k;
        const Vec3d after = blob.balls.balls[0].velocity.linear;
        EXPECT_LT(length(after - blob.balls.balls[1].velocity.linear), 1e-12);
        EXPECT_EQ(length(blob.balls.balls[0].velocity.angular), 0);
        const auto along_x = [](Vec3d) { return Vec3d{1, 0, 0}; };
        const double lost = blob.along(before, along_x) - blob.along(blob.velocity(), along_x);
        const double got = (after.x - 2) * (a.mass() + b.mass());
        EXPECT_LT(got, 0);
        EXPECT_NEAR(lost, got, 2e-3 * std::abs(got)) << k;
    }
}

TEST(viscous_bodies, without_liquid_or_without_an_answer_are_left_alone) {
    FreeBalls::Ball far = ball(2, middle + Vec3d{0, 0, 60}), held = ball(2);
    held.answers = false;
    for (const FreeBalls::Ball& body : {far, held}) {
        Blob blob({body});
        blob.pool.set_velocity(swirl);
        EXPECT_TRUE(blob.apply(5).converged);
        EXPECT_TRUE(blob.viscosity.impulses().empty());
    }
    // Beside another one.
    Blob both({ball(2), far});
    both.pool.set_velocity(swirl);
    EXPECT_TRUE(both.apply(5).converged);
    ASSERT_EQ(both.viscosity.impulses().size(), 2u);
    EXPECT_GT(length(both.viscosity.impulses()[0].linear), 0);
    EXPECT_EQ(length(both.viscosity.impulses()[1].linear), 0);
}

TEST(viscous_bodies, without_friction_spin_on) {
    FreeBalls::Ball body = ball(1, middle);
    body.velocity = {{}, {0.1, 0.3, -0.2}};
    for (const float friction : {0.f, 1.f}) {
        body.friction = friction;
        Blob blob({body});
        ASSERT_TRUE(blob.apply(20).converged);
        const double left = length(blob.balls.balls[0].velocity.angular) / length(body.velocity.angular);
        if (friction > 0) {
            EXPECT_LT(left, 0.5);
        } else {
            EXPECT_GT(left, 0.99);
        }
    }
}

TEST(viscous_bodies, have_the_same_bits_for_any_number_of_threads) {
    for (const double k : {1.0, 50.0}) {
        fluid::Twist results[2];
        for (const int threads : {1, 2}) {
            const ThreadLimit limit(threads);
            Blob blob({ball(3)});
            blob.pool.set_velocity(swirl);
            blob.apply(k);
            results[threads - 1] = blob.balls.balls[0].velocity;
        }
        EXPECT_EQ(std::memcmp(&results[0], &results[1], sizeof(fluid::Twist)), 0) << k;
    }
}

TEST(viscous_bodies, get_nothing_from_what_is_no_number) {
    Blob blob({ball(3)});
    blob.pool.set_velocity(swirl);
    blob.pool.at(blob.pool.grid.velocity.x, {9, 15, 15}) = std::nanf("");
    EXPECT_FALSE(blob.apply(5).converged);
    EXPECT_TRUE(blob.viscosity.impulses().empty());
}

}  // namespace spindrift::flip
