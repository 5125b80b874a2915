// Bodies that viscous stress moves, on a grid.

#include <cmath>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

/// A ball in the middle of a square tank with rough walls, full of thick liquid. Cells are 0.05 m.
struct Tank {
    static constexpr double cell = 0.05, radius = 3 * cell, half_width = 4 * radius, depth = 3 * half_width, g = 9.81;
    double density_ratio, viscosity, dt;

    /// `strength` is viscosity dt / cell^2.
    Tank(double ratio, double nu, double strength = 0.3)
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
    /// Speed of the fall after so many steps, m/s.
    double fall(const char* method, int steps) const {
        Started simulation = start(method);
        for (int k = 0; k < steps; ++k)
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
    // radii to the walls are what runs in seconds. Steps are as long as is good: shorter ones add the grid's own
    // viscosity, in longer ones pressure lets liquid slip (docs/decisions/0020).
    constexpr double ratio = 7800.0 / 1260, reynolds = 0.05;
    const double nu = std::sqrt(4.0 / 9 * std::pow(Tank::radius, 3) * (ratio - 1) * Tank::g / reynolds);
    const Tank tank(ratio, nu);
    const double expected = (ratio - 1) * tank.stokes() / wall_factor;
    const double speed = tank.fall(GetParam(), 150);
    fmt::print("{}: {:.5f} m/s of {:.5f}: {:.3f}\n", GetParam(), speed, expected, speed / expected);
    // Measured: 1.05 (apic), 0.90 (flip, which is PIC at this viscosity and has a viscosity of its own).
    EXPECT_NEAR(speed / expected, 1, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Methods, GridViscousBodies, testing::Values("flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

TEST(GridViscousBody, a_ball_as_heavy_as_the_liquid_hardly_sinks) {
    // What is wrong with the pressure alone: cells that the ball cuts do not all press. In V09 it counts a fifth.
    // Measured: 0.28.
    const Tank tank(1, 1.236);
    const double share = tank.fall("apic", 100) * wall_factor / tank.stokes();
    fmt::print("equal density: sinks as if it were {:.3f} heavier\n", share);
    EXPECT_LT(std::abs(share), 0.35);
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
