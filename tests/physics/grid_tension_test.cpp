// Surface tension as a pressure on a grid: cubes that become balls, Laplace's pressure and Rayleigh's frequency.

#include <cmath>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/flip/step.h"

namespace spindrift {
namespace {

constexpr double density = 1000;

std::string drop(const std::string& method, double sigma, double spacing, const std::string& fill) {
    return fmt::format(R"(
        solver = "{}"
        gravity = [0, 0, 0]
        frames = [1, 1000]
        [[liquid]]
        density = 1000
        viscosity = 0
        surface_tension = {}
        spacing = {}
        fill = {{ {} }})",
                       method, sigma, spacing, fill);
}

std::string ball(double radius) {
    return fmt::format("sphere = {{ center = [0, 0, 0], radius = {} }}", radius);
}

Vec3d center_of(const std::vector<Vec3d>& x) {
    return {mean_of(x, 0), mean_of(x, 1), mean_of(x, 2)};
}

/// Second moments about the centre on each axis, relative to a ball of this volume: 1 for a ball.
Vec3d roundness(const std::vector<Vec3d>& x, double radius) {
    const Vec3d center = center_of(x);
    Vec3d sum{};
    for (const Vec3d& p : x)
        sum += {std::pow(p.x - center.x, 2), std::pow(p.y - center.y, 2), std::pow(p.z - center.z, 2)};
    return sum / (static_cast<double>(x.size()) * radius * radius / 5);
}

/// Farthest particle, in radii of the ball of this volume.
double farthest(const std::vector<Vec3d>& x, double radius) {
    const Vec3d center = center_of(x);
    double most = 0;
    for (const Vec3d& p : x)
        most = std::max(most, length(p - center));
    return most / radius;
}

TEST(GridTension, makes_a_ball_of_a_cube) {
    constexpr double spacing = 0.01, side = 16 * spacing, radius = 0.620350 * side;
    // Around the origin, where the grid is as symmetric as the cube is. Elsewhere momentum drifts by 1 to 7 cm/s.
    const std::string cube = "box = " + box_text({-side / 2, -side / 2, -side / 2}, {side / 2, side / 2, side / 2});
    for (const double sigma : {0.0, 10.0}) {
        Started simulation(drop("apic", sigma, spacing, cube));
        const Vec3d before = simulation.statistics().momentum;
        run_for(simulation, 3);
        const std::vector<Vec3d> x = positions(simulation);
        const Vec3d moments = roundness(x, radius);
        const double wave = std::sqrt(2 * std::numbers::pi * sigma / (density * side));
        const double momentum = length(simulation.statistics().momentum - before) / (density * std::pow(side, 3));
        fmt::print("sigma {}: farthest {:.3f} R, moments {:.3f} {:.3f} {:.3f}, drift {:.1e} m/s of {:.2f}\n", sigma,
                   farthest(x, radius), moments.x, moments.y, moments.z, momentum, wave);
        if (sigma == 0) {
            // The control: corners stay where they are, at 1.4 radii.
            EXPECT_GT(farthest(x, radius), 1.25);
            continue;
        }
        // Good solvers have 8 % of the radius and 1e-3 of momentum. Measured are 2 % for the farthest of all
        // particles, 1 % for the moments of all, and 3e-4.
        EXPECT_LT(farthest(x, radius), 1.08);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(moments[axis], 1, 0.08);
        EXPECT_LT(momentum, 1e-3 * wave);
    }
}

TEST(GridTension, pressure_in_a_ball_is_that_of_laplace) {
    constexpr double sigma = 10, radius = 0.1;
    for (const double spacing : {0.0125, 0.00833333}) {
        Started simulation(drop("pic", sigma, spacing, ball(radius)));
        const double dt = simulation.choose_dt();
        // The first steps take the bumps of the lattice out.
        for (int step = 0; step < 150; ++step)
            simulation.advance(dt);
        const auto& solver = dynamic_cast<const flip::Solver&>(simulation.solver());
        double sum = 0, count = 0;
        for (int step = 0; step < 20; ++step) {
            simulation.advance(dt);
            const flip::MacGrid& grid = solver.grid();
            for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
                for (int n = 0; n < grid::leaf_cells; ++n) {
                    if (grid.phi.leaf(l)[n] > -0.99f) continue;
                    sum += static_cast<double>(grid.pressure.leaf(l)[n]) * density * solver.cell() / dt;
                    count += 1;
                }
            }
        }
        fmt::print("{:.1f} cells per radius: pressure {:.1f} Pa of {:.1f}\n", radius / solver.cell(), sum / count,
                   2 * sigma / radius);
        // Measured are 2.5 and 2.0 % more.
        EXPECT_NEAR(sum / count, 2 * sigma / radius, 0.03 * 2 * sigma / radius);
    }
}

TEST(GridTension, a_drop_in_steps_that_are_too_long_for_it_stays_calm) {
    constexpr double sigma = 10, radius = 0.1;
    const double of_surface = sigma * 4 * std::numbers::pi * radius * radius;
    for (const double too_long : {2.0, 4.0}) {
        Started simulation(drop("flip", sigma, radius / 6, ball(radius)));
        const double dt = too_long * simulation.choose_dt();
        double most = 0;
        for (int step = 0; step < 150; ++step) {
            simulation.advance(dt);
            most = std::max(most, simulation.statistics().kinetic_energy / of_surface);
        }
        fmt::print("steps {} times too long: {:.4f} of the surface's energy moves at most\n", too_long, most);
        // With all of its tension it is 0.05 in the longer ones, and more from then on.
        EXPECT_LT(most, 0.01);
    }
}

/// How much longer than wide, by second moments; 0 for a ball.
double stretch_of(const std::vector<Vec3d>& x, double radius) {
    const Vec3d m = roundness(x, radius);
    return (2 * m.y - m.x - m.z) / (m.x + m.y + m.z);
}

TEST(GridTension, drops_swing_at_the_frequency_of_rayleigh) {
    constexpr double sigma = 10, radius = 0.1;
    const double omega = std::sqrt(8 * sigma / (density * std::pow(radius, 3))), period = 2 * std::numbers::pi / omega;
    for (const std::string method : {"flip", "apic"}) {
        Started simulation(drop(method, sigma, radius / 12, ball(radius)));
        run_for(simulation, 0.5 * period);
        edit(simulation, [&](Parcel& p) { p.v = Vec3d{-p.x.x, 2 * p.x.y, -p.x.z} * (0.05 * omega); });
        // From the first maximum of the stretch to the first minimum.
        double most = -1, least = 1, time_most = 0, time_least = 0;
        run_for(simulation, 0.95 * period, [&](double t) {
            const double stretch = stretch_of(positions(simulation), radius);
            if (t < 0.5 * period && stretch > most) {
                most = least = stretch;
                time_most = t;
            } else if (stretch < least) {
                least = stretch;
                time_least = t;
            }
        });
        const double frequency = 0.5 / (time_least - time_most);
        fmt::print("{}: {:.3f} to {:.3f}, {:.3f} Hz of {:.3f}\n", method, most, least, frequency, 1 / period);
        // The best solvers have 5 %; measured are 7 % less.
        EXPECT_NEAR(frequency, 1 / period, 0.15 / period);
        EXPECT_LT(least, -0.2 * most);
    }
}

}  // namespace
}  // namespace spindrift
