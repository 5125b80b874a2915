// Bodies that viscous stress moves, on a grid.

#include <cmath>

#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/flip/step.h"

namespace spindrift {
namespace {

/// A ball in the middle of a square tank with rough walls, full of thick liquid. Cells are 0.05 m.
struct Tank {
    static constexpr double cell = 0.05, radius = 3 * cell, half_width = 4 * radius, depth = 3 * half_width, g = 9.81;
    double density_ratio, viscosity, dt;

    /// `strength` is viscosity dt / cell^2.
    Tank(double ratio, double nu, double strength)
        : density_ratio(ratio), viscosity(nu), dt(strength * cell * cell / nu) {}

    /// Speed of a ball that is heavier by the liquid's density, in a liquid without end.
    double stokes() const { return 2.0 / 9 * radius * radius * g / viscosity; }
    Started start(const char* method) const {
        return Started(fmt::format(R"(
            solver = "{0}"
            frames = [1, 5000]
            fps = {1}
            gravity = [0, -{2}, 0]
            [domain]
            box = [[-{3}, 0, -{3}], [{3}, {5}, {3}]]
            friction = 1
            [[liquid]]
            density = 1260
            spacing = {6}
            viscosity = {7}
            fill = {{ box = [[-{3}, 0, -{3}], [{3}, {4}, {3}]] }}
            [[body]]
            sphere = {{ center = [0, 0, 0], radius = {8} }}
            position = [0.015, {9}, 0.01]
            friction = 1
            density = {10})",
                                   method, 1 / dt, g, half_width, depth, depth + 0.2, cell / 2, viscosity, radius,
                                   depth / 2, 1260 * density_ratio));
    }
    /// Speed of the fall when it has become steady, m/s.
    double fall(const char* method) const {
        Started simulation = start(method);
        const double time = 50 * cell * cell / viscosity;
        for (int k = 0; k * dt < time; ++k)
            simulation.advance(dt);
        return -simulation.bodies().state().bodies[0].velocity.y;
    }
};

/// How much slower a ball is in a square tube four times as wide than in liquid without end. Found by Stokeslets
/// outside of a closed tube and inside of the ball, to 1e-5; the same for tubes of 3 to 6 half widths' length to 4e-4.
/// Faxen's factor of a round tube that small balls are slowed in as much, 1.105 half widths (Happel and Bart 1974),
/// is 1.826.
constexpr double wall_factor = 1.823;

class GridViscousBodies : public testing::TestWithParam<const char*> {};

TEST_P(GridViscousBodies, a_steel_ball_in_glycerol_falls_as_stokes_says) {
    // V09 with r = 0.15 m and a viscosity for a Reynolds number of 0.05 without walls. Three cells of radius and four
    // radii to the walls are what runs in seconds.
    constexpr double ratio = 7800.0 / 1260, reynolds = 0.05;
    const double nu = std::sqrt(4.0 / 9 * std::pow(Tank::radius, 3) * (ratio - 1) * Tank::g / reynolds);
    for (const double strength : {1.0, 5.0}) {
        const Tank tank(ratio, nu, strength);
        const double expected = (ratio - 1) * tank.stokes() / wall_factor, speed = tank.fall(GetParam());
        fmt::print("{} k {}: {:.5f} m/s of {:.5f}: {:.3f}\n", GetParam(), strength, speed, expected, speed / expected);
        // Measured: 0.97 and 1.05 (flip), 1.03 and 1.06 (apic). Good is 25 %, best 7 %.
        EXPECT_NEAR(speed / expected, 1, 0.1) << strength;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, GridViscousBodies, testing::Values("flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

TEST(GridViscousBody, a_ball_as_heavy_as_the_liquid_hardly_sinks) {
    // What is wrong with the pressure alone.
    const Tank tank(1, 1.236, 1);
    const double share = tank.fall("apic") * wall_factor / tank.stokes();
    fmt::print("equal density: sinks as if it were {:.3f} of the liquid's density heavier\n", share);
    // Measured: -0.06.
    EXPECT_LT(std::abs(share), 0.15);
}

TEST(GridViscousBody, balls_a_tenth_and_ten_times_as_heavy_are_as_fast_as_they_should) {
    for (const double ratio : {0.1, 10.0}) {
        const Tank tank(ratio, 1.5, 3);
        const double expected = (ratio - 1) * tank.stokes() / wall_factor, speed = tank.fall("apic");
        fmt::print("density ratio {}: {:.5f} m/s of {:.5f}: {:.3f}\n", ratio, speed, expected, speed / expected);
        // Measured: 1.24 and 1.06.
        EXPECT_NEAR(speed / expected, 1, 0.35) << ratio;
    }
}

/// Height of a ball's centre over time after it was let go 10 cm above a pool 0.4 m deep.
std::vector<double> drop(double density, double viscosity, int frames) {
    auto simulation = start(fmt::format(R"(
        solver = "apic"
        frames = [1, 100]
        fps = 24
        [domain]
        box = [[-0.3, 0, -0.3], [0.3, 1.2, 0.3]]
        [[liquid]]
        density = 1400
        spacing = 0.02
        viscosity = {}
        fill = {{ box = [[-0.3, 0, -0.3], [0.3, 0.4, 0.3]] }}
        [[body]]
        sphere = {{ center = [0, 0, 0], radius = 0.1 }}
        position = [0, 0.6, 0]
        friction = 1
        density = {})",
                                        viscosity, density));
    std::vector<double> heights;
    for (int frame = 0; frame < frames; ++frame) {
        run_for(simulation, 1.0 / 24);
        heights.push_back(simulation.bodies().state().bodies[0].center.y);
    }
    return heights;
}

TEST(GridViscousBody, a_heavy_ball_sinks_slowly_in_honey_and_a_light_one_stays_on_top) {
    const std::vector<double> water = drop(14000, 1e-6, 12), honey = drop(14000, 0.5, 12), light = drop(140, 0.5, 24);
    fmt::print("after 0.5 s: water {:.3f} honey {:.3f}; light {:.3f}\n", water.back(), honey.back(), light.back());
    EXPECT_LT(water.back(), 0.12);
    EXPECT_GT(honey.back(), water.back() + 0.05);
    for (std::size_t k = 1; k < honey.size(); ++k)
        EXPECT_LT(honey[k], honey[k - 1] + 1e-3);
    for (const double height : light) {
        EXPECT_GT(height, 0.4);
        EXPECT_LT(height, 0.62);
    }
}

TEST(GridViscousBody, tension_around_a_ball_presses_as_laplace_says) {
    // Viscosity and pressure are found several times in a step; the surface's pressure counts once.
    constexpr double sigma = 10, radius = 0.1, density = 1000;
    auto simulation = start(fmt::format(R"(
        solver = "apic"
        gravity = [0, 0, 0]
        frames = [1, 100]
        [[liquid]]
        density = {}
        viscosity = 0.05
        surface_tension = {}
        spacing = 0.01
        fill = {{ sphere = {{ center = [0, 0, 0], radius = {} }} }}
        [[body]]
        sphere = {{ center = [0, 0, 0], radius = 0.04 }}
        friction = 1)",
                                        density, sigma, radius));
    const double dt = simulation.choose_dt();
    const auto& solver = dynamic_cast<const flip::Solver&>(simulation.solver());
    for (int step = 0; step < 40; ++step)
        simulation.advance(dt);
    std::vector<double> pressures;
    const flip::MacGrid& grid = solver.grid();
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (int n = 0; n < grid::leaf_cells; ++n) {
            const double p = static_cast<double>(grid.pressure.leaf(l)[n]) * density * solver.cell() / dt;
            if (grid.phi.leaf(l)[n] < -0.99f && p != 0) pressures.push_back(p);
        }
    }
    std::nth_element(pressures.begin(), pressures.begin() + static_cast<std::ptrdiff_t>(pressures.size() / 2),
                     pressures.end());
    const double share = pressures[pressures.size() / 2] / (2 * sigma / radius);
    fmt::print("nu dt / cell^2 = {:.2f}: {:.3f} of Laplace's pressure\n", 0.05 * dt / (solver.cell() * solver.cell()),
               share);
    // As without a body: the surface that pressure sees is larger.
    EXPECT_NEAR(share, 0.85, 0.2);
    EXPECT_LT(length(simulation.bodies().state().bodies[0].velocity), 0.01);
}

TEST(GridViscousBody, a_ball_above_the_liquid_just_falls) {
    auto simulation = start(R"(
        solver = "apic"
        frames = [1, 100]
        [domain]
        box = [[-0.3, 0, -0.3], [0.3, 2, 0.3]]
        [[liquid]]
        spacing = 0.02
        viscosity = 0.5
        fill = { box = [[-0.3, 0, -0.3], [0.3, 0.2, 0.3]] }
        [[body]]
        sphere = { center = [0, 0, 0], radius = 0.1 }
        position = [0, 1.5, 0]
        friction = 1)");
    run_for(simulation, 0.1);
    const bodies::BodyState body = simulation.bodies().state().bodies[0];
    EXPECT_NEAR(body.velocity.y, -0.981, 1e-6);
    EXPECT_EQ(length(body.spin), 0);
}

}  // namespace
}  // namespace spindrift
