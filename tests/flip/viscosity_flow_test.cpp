// Viscous flows with a known answer (docs/validation V08), and liquids that differ from place to place.

#include <cmath>
#include <numbers>

#include "viscous_pool.h"
#include <gtest/gtest.h>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/flip/viscosity/viscosity_field.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::flip {

namespace {

/// A channel along x, `height` cells high; its ends are open, six heights apart: exp(-3 pi) of them is felt in the
/// middle. Its sides are open too, which a flow that is the same for all z does not feel.
constexpr int height = 16, length_of_channel = 96, width = 8;
constexpr double h = height;

ViscousPool channel(const collision::Walls& walls) {
    ViscousPool pool({0, 0, 0}, {length_of_channel, height, width}, walls);
    pool.fill([](Vec3d p) {
        const double outside_x = std::abs(p.x - length_of_channel / 2.0) - length_of_channel / 2.0;
        const double outside_z = std::abs(p.z - width / 2.0) - width / 2.0;
        return std::max(outside_x, outside_z);
    });
    return pool;
}

/// Floor and ceiling, the floor `up` cells above where it is otherwise.
collision::Walls plates(float friction, float up = 0) {
    constexpr float far = 1000;
    return box_walls({-far, up, -far}, {far, height + up, far}, friction);
}

/// A floor at rest and a lid that moves along the channel at 1 m/s.
class Lid {
  public:
    Lid()
        : field_(
              collision::make_field(geometry::make_box({{-16, height, -16}, {length_of_channel + 16, height + 8, 24}}),
                                    {.cell = 1, .band = 4, .depth = 4})) {
        walls_.planes.push_back({{0, 1, 0}, 0, {.friction = 1}});
        collision::WallField lid = collision::place_field(field_, {}, {{}, 1, 1});
        lid.surface.friction = 1;
        lid.velocity = {1, 0, 0};
        lid.fastest = 1;
        walls_.fields.push_back(lid);
    }
    const collision::Walls& walls() const { return walls_; }

  private:
    collision::Field field_;
    collision::Walls walls_;
};

/// Velocity along the channel in its middle, at the height of a row of faces.
double middle(ViscousPool& pool, int row) {
    return static_cast<double>(pool.at(pool.grid.velocity.x, {length_of_channel / 2, row, width / 2}));
}

/// At a share y of the height, from tau = nu t / h^2; in units of the largest velocity there will be.
double poiseuille(double y, double tau) {
    double u = 4 * y * (1 - y);
    for (int n = 1; n < 40; n += 2) {
        const double a = n * std::numbers::pi;
        u -= 32 / (a * a * a) * std::sin(a * y) * std::exp(-a * a * tau);
    }
    return u;
}

/// In units of the lid's velocity; the lid is at y = 1.
double couette(double y, double tau) {
    double u = y;
    for (int n = 1; n < 80; ++n) {
        const double a = n * std::numbers::pi;
        u += 2 / a * (n % 2 == 0 ? 1 : -1) * std::sin(a * y) * std::exp(-a * a * tau);
    }
    return u;
}

/// The argument between lo and hi at which a monotonous function is zero.
template <class F>
double root(double lo, double hi, const F& f) {
    const bool rises = f(hi) > f(lo);
    for (int k = 0; k < 60; ++k) {
        const double mid = std::sqrt(lo * hi);
        ((f(mid) > 0) == rises ? hi : lo) = mid;
    }
    return std::sqrt(lo * hi);
}

/// The viscosity that a flow which a force starts seems to have after tau = 0.2, in units of the one asked for; the
/// plates are `up` cells above where they are otherwise.
double fitted_poiseuille(double nu, int steps, float up = 0) {
    constexpr double tau = 0.2, push = 1;
    const double t = tau * h * h / nu, dt = t / steps;
    ViscousPool pool = channel(plates(1, up));
    Viscosity viscosity;
    for (int k = 0; k < steps; ++k) {
        pool.for_cells(
            [&](std::size_t l, int n, Vec3d) { pool.grid.velocity.x.leaf(l)[n] += static_cast<float>(push * dt); });
        EXPECT_TRUE(pool.apply(viscosity, {.dt = dt, .tolerance = 1e-5, .constant = nu}).converged);
    }
    const double measured = middle(pool, height / 2), y = (height / 2 + 0.5 - static_cast<double>(up)) / h;
    const auto error = [&](double guess) {
        return push * h * h / (8 * guess) * poiseuille(y, guess * t / (h * h)) - measured;
    };
    return root(0.2 * nu, 5 * nu, error) / nu;
}

/// The same for a lid that begins to move, after tau = 0.1.
double fitted_couette(double nu, int steps) {
    const double t = 0.1 * h * h / nu;
    const Lid lid;
    ViscousPool pool = channel(lid.walls());
    Viscosity viscosity;
    for (int k = 0; k < steps; ++k)
        EXPECT_TRUE(pool.apply(viscosity, {.dt = t / steps, .tolerance = 1e-5, .constant = nu}).converged);
    const double measured = middle(pool, height / 2), y = (height / 2 + 0.5) / h;
    return root(0.2 * nu, 5 * nu, [&](double guess) { return couette(y, guess * t / (h * h)) - measured; }) / nu;
}

}  // namespace

/// A viscosity and the number of steps in which to get there, so that nu dt is not the same for all.
struct Run {
    double nu;
    int steps;
};
constexpr Run runs[] = {{0.05, 60}, {0.5, 40}, {5, 25}};

TEST(viscous_flow, poiseuille_starts_as_the_series_says) {
    // Measured: 1.5 % with 25 of Euler's backward steps, 0.6 % with 50. Cells of 1/16 are worth 0.3 %.
    constexpr double tolerance = 0.02;
    for (const auto& [nu, steps] : runs) {
        const double coarse = fitted_poiseuille(nu, steps), fine = fitted_poiseuille(nu, 2 * steps);
        EXPECT_NEAR(coarse, 1, tolerance) << nu;
        EXPECT_NEAR(fine, 1, tolerance) << nu;
        EXPECT_LT(std::abs(fine - coarse), tolerance) << nu;
    }
}

TEST(viscous_flow, couette_starts_as_the_series_says) {
    // Measured: -2.5 % with 25 steps, -1.5 % with 50: backward steps blur a lid that starts at once.
    constexpr double tolerance = 0.03;
    for (const auto& [nu, steps] : runs) {
        const double coarse = fitted_couette(nu, steps), fine = fitted_couette(nu, 2 * steps);
        EXPECT_NEAR(coarse, 1, tolerance) << nu;
        EXPECT_NEAR(fine, 1, tolerance) << nu;
        EXPECT_LT(std::abs(fine - coarse), 0.02) << nu;
    }
}

TEST(viscous_flow, walls_may_stand_anywhere_in_a_cell) {
    // The liquid between a wall and the face before it counts as a whole or not at all: of first order, measured 3 %.
    for (const float up : {0.2f, 0.6f})
        EXPECT_NEAR(fitted_poiseuille(0.5, 50, up), 1, 0.05) << up;
}

TEST(viscous_flow, smooth_walls_do_not_slow_what_slides_along) {
    ViscousPool pool = channel(plates(0));
    pool.set_velocity([](Vec3d) { return Vec3d{1, 0, 0}; });
    Viscosity viscosity;
    ASSERT_TRUE(pool.apply(viscosity, {.dt = 1, .constant = 100}).converged);
    EXPECT_NEAR(middle(pool, 0), 1, 1e-4);
    EXPECT_NEAR(middle(pool, height / 2), 1, 1e-4);

    // A plane askew to all axes, and a flow along it.
    const Vec3f normal{0.48f, 0.8f, 0.36f};
    collision::Walls plane;
    plane.planes.push_back({{normal.x, normal.y, normal.z}, 12, {}});
    ViscousPool slope({0, 0, 0}, {32, 32, 32}, plane);
    const Vec3d center{16, 8, 16}, along{0.8, -0.48, 0};
    slope.fill([&](Vec3d p) { return length(p - center) - 9; });
    slope.set_velocity([&](Vec3d) { return along; });
    ASSERT_TRUE(slope.apply(viscosity, {.dt = 1, .constant = 100}).converged);
    EXPECT_NEAR(static_cast<double>(slope.at(slope.grid.velocity.x, {16, 8, 16})), along.x, 1e-4);
    EXPECT_NEAR(static_cast<double>(slope.at(slope.grid.velocity.y, {16, 8, 16})), along.y, 1e-4);
}

TEST(viscous_flow, layers_of_two_liquids_share_the_stress) {
    const Lid lid;
    ViscousPool pool = channel(lid.walls());
    grid::Field<float> nu;
    nu.resize(pool.grid.leaves.size(), -1);
    pool.for_cells([&](std::size_t l, int n, Vec3d corner) { nu.leaf(l)[n] = corner.y < height / 2 ? 1.f : 10.f; });
    Viscosity viscosity;
    // So long that only stresses count.
    ASSERT_TRUE(pool.apply(viscosity, {.dt = 3e4, .viscosity = &nu}).converged);
    for (int row = 0; row < height; ++row) {
        const double y = (row + 0.5) / h;
        const double expected = y < 0.5 ? y * 20 / 11 : 1 - (1 - y) * 2 / 11;
        // What the open ends take from a flow that all liquid in the channel carries.
        EXPECT_NEAR(middle(pool, row), expected, 0.005) << row;
    }
}

}  // namespace spindrift::flip
