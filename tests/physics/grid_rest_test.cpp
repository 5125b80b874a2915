// Liquid at rest with pressure on a grid: columns against hydrostatics, tanks of any width, closed boxes.

#include <cmath>

#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/flip/step.h"

namespace spindrift {
namespace {

constexpr double g = 9.81, density = 1000;

struct Rest {
    double swelling;  ///< of the mean height against that of the liquid's volume, relative
    double kinetic;   ///< relative to m g H
    double level;     ///< by the pressure at the bottom, above that of the particles; in cells
    double spread;    ///< of the pressure at the bottom, root mean square; relative
};

struct Mean {
    double value, spread;
};

/// Pressure in the lowest layer of cells of a tank whose floor is at y = 0, as a height of liquid above the floor (m).
Mean head_at_bottom(sim::Simulation& simulation, double dt) {
    const auto& solver = dynamic_cast<const flip::Solver&>(simulation.solver());
    const flip::MacGrid& grid = solver.grid();
    const double cell = solver.cell();
    const int floor = static_cast<int>(std::floor(-simulation.particles().origin.y / cell + 1e-3));
    double sum = 0, squares = 0, count = 0;
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (int n = 0; n < grid::leaf_cells; ++n) {
            if (grid.leaves.coord(l).y * 8 + (n >> 3 & 7) != floor || !flip::is_set(grid.wet[l], n)) continue;
            const double p = static_cast<double>(grid.pressure.leaf(l)[n]) * density * cell / dt;
            // Walls leave so little of a cell in the corner that it is none.
            if (p == 0) continue;
            sum += p;
            squares += p * p;
            count += 1;
        }
    }
    const double mean = sum / count;
    return {mean / (density * g) + cell / 2, std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean};
}

/// A box filled to `layers` spacings with a lattice, `width` spacings wide, after `seconds`.
Rest settle(const std::string& method, int layers, double width, double seconds) {
    const double depth = 0.5, d = depth / layers;
    auto simulation = start(fmt::format(R"(
        solver = "{0}"
        [domain]
        box = [[0, 0, 0], [{1}, 1, {1}]]
        [[liquid]]
        density = 1000
        spacing = {2}
        fill = {{ box = [[0, 0, 0], [{1}, {3}, {1}]] }})",
                                        method, width * d, d, depth));
    const std::size_t start_count = simulation.particle_count();
    double last = 0, dt = 0;
    run_for(simulation, seconds, [&](double time) {
        dt = time - last;
        last = time;
    });
    const io::FrameStatistics s = simulation.statistics();
    EXPECT_EQ(s.particles, start_count);
    const double level = 2 * mean_of(positions(simulation), 1);
    const Mean head = head_at_bottom(simulation, dt);
    const Rest rest{.swelling = level / (s.volume / (width * d * width * d)) - 1,
                    .kinetic = s.kinetic_energy / (s.volume * density * g * depth),
                    .level = (head.value - level) / (2 * d),
                    .spread = head.spread};
    fmt::print("{} {} layers {} wide: swelling {:.5f} kinetic {:.1e} level {:.3f} cells higher, spread {:.5f}\n",
               method, layers, width, rest.swelling, rest.kinetic, rest.level, rest.spread);
    return rest;
}

/// On a lattice that fits the cells nothing moves, or as little as the best solvers have: 0.2 %, 1e-7 and 0.5 % of the
/// pressure below 12 cells.
void expect_stillness(const Rest& rest) {
    EXPECT_LT(std::abs(rest.swelling), 2e-3);
    EXPECT_LT(rest.kinetic, 1e-7);
    EXPECT_NEAR(rest.level, 0, 0.05);
    EXPECT_LT(rest.spread, 1e-3);
}

/// Where walls are no borders of cells the lattice has to spread into the gaps it leaves. Good solvers have 1e-5 and 3
/// % of the pressure below 13 cells; measured are up to 5e-9 and 0.065 cells.
void expect_rest(const Rest& rest) {
    // 2 % would be good; measured are up to 4 %: half of the gap beside a wall counts as missing.
    EXPECT_LT(std::abs(rest.swelling), 0.05);
    EXPECT_LT(rest.kinetic, 1e-6);
    EXPECT_NEAR(rest.level, 0, 0.2);
    EXPECT_LT(rest.spread, 0.01);
}

class GridRest : public testing::TestWithParam<const char*> {};

TEST_P(GridRest, column_of_25_layers_keeps_its_height_and_pressure) {
    expect_stillness(settle(GetParam(), 25, 16, 10));
}

TEST_P(GridRest, column_of_100_layers_keeps_its_height_and_pressure) {
    expect_stillness(settle(GetParam(), 100, 12, 3));
}

TEST_P(GridRest, tank_with_walls_between_the_borders_of_cells_rests) {
    expect_rest(settle(GetParam(), 26, 16.6, 10));
    expect_rest(settle(GetParam(), 24, 15.25, 10));
}

TEST_P(GridRest, water_slopping_between_such_walls_calms_down) {
    // A narrow box, three quarters of a cell off on one axis and a quarter on the other, in short steps.
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        flip.cfl = 1
        [domain]
        box = [[-0.17, 0, -0.09], [0.23, 1, 0.09]]
        [[liquid]]
        density = 1000
        spacing = 0.02
        fill = {{ box = [[-0.17, 0, -0.09], [0.23, 0.2, 0.09]], velocity = [0.2, 0, 0] }})",
                                        GetParam()));
    run_for(simulation, 6);
    const io::FrameStatistics s = simulation.statistics();
    const double level = 2 * mean_of(positions(simulation), 1), expected = s.volume / (0.4 * 0.18);
    const double kinetic = s.kinetic_energy / (s.volume * density * g * expected);
    fmt::print("{}: level {:.4f} of {:.4f} kinetic {:.1e}\n", GetParam(), level, expected, kinetic);
    // At first it had 0.01; FLIP, which hardly damps it, is at 1e-3 by now. What gains energy at the walls has filled
    // the box by then.
    EXPECT_LT(kinetic, 2e-3);
    EXPECT_NEAR(level, expected, 0.05 * expected);
}

INSTANTIATE_TEST_SUITE_P(Methods, GridRest, testing::Values("flip", "apic", "pic"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace spindrift
