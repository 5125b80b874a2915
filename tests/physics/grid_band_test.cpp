// Liquid with particles near its surface and walls alone, against the same with all of them.

#include <cmath>

#include "playback.h"
#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/flip/step.h"

namespace spindrift {
namespace {

constexpr double density = 1000, g = 9.81;

std::string dam(const std::string& method, int band) {
    return fmt::format(R"(
        solver = "{}"
        frames = [1, 100]
        [domain]
        box = [[0, 0, 0], [1.2, 1, 0.8]]
        [[liquid]]
        density = 1000
        spacing = 0.02
        fill = {{ box = [[0, 0, 0], [0.72, 0.8, 0.8]] }}
        [flip]
        narrow_band = {})",
                       method, band);
}

class GridBand : public testing::TestWithParam<const char*> {};

TEST_P(GridBand, a_dam_breaks_as_with_all_particles) {
    auto banded = start(dam(GetParam(), 3)), whole = start(dam(GetParam(), 0));
    const double volume = whole.statistics().volume;
    double fewest = 1, farthest = 0, smallest = 2, largest = 0;
    for (int frame = 2; frame <= 30; ++frame) {
        sim::run_to(banded, frame);
        sim::run_to(whole, frame);
        const io::FrameStatistics a = banded.statistics(), b = whole.statistics();
        fewest = std::min(fewest, static_cast<double>(a.particles) / static_cast<double>(b.particles));
        smallest = std::min(smallest, a.volume / volume);
        largest = std::max(largest, a.volume / volume);
        const double energy = b.kinetic_energy + b.potential_energy;
        farthest = std::max(farthest, std::abs(a.kinetic_energy + a.potential_energy - energy) / energy);
    }
    fmt::print("{}: fewest particles {:.2f}, volume {:.3f} to {:.3f}, energy within {:.3f}\n", GetParam(), fewest,
               smallest, largest, farthest);
    // Its border is known to a cell; particles that come there are as many as leave, give or take: measured are 1.5 %
    // of the volume and 4 % of the energy.
    EXPECT_LT(fewest, 0.9);
    EXPECT_GT(smallest, 0.97);
    EXPECT_LT(largest, 1.03);
    EXPECT_LT(farthest, 0.06);
}

TEST_P(GridBand, deep_water_rests_and_presses_on_its_floor) {
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        frames = [1, 100]
        [domain]
        box = [[0, 0, 0], [0.8, 1.2, 0.8]]
        [[liquid]]
        density = 1000
        spacing = 0.02
        fill = {{ box = [[0, 0, 0], [0.8, 0.96, 0.8]] }}
        [flip]
        narrow_band = 3)",
                                        GetParam()));
    const double volume = simulation.statistics().volume;
    const std::size_t all = simulation.particle_count();
    double last = 0, dt = 0;
    run_for(simulation, 2, [&](double time) {
        dt = time - last;
        last = time;
    });
    const io::FrameStatistics s = simulation.statistics();
    // Of 20 x 24 x 20 cells 10 x 14 x 10 are five off all surfaces and walls.
    EXPECT_LT(s.particles, 0.92 * static_cast<double>(all));
    EXPECT_NEAR(s.volume, volume, 1e-3 * volume);
    EXPECT_LT(s.kinetic_energy / (volume * density * g * 0.96), 1e-7);
    const auto& solver = dynamic_cast<const flip::Solver&>(simulation.solver());
    const flip::MacGrid& grid = solver.grid();
    const std::int32_t leaf = grid.leaves.find({1, 0, 1});
    ASSERT_GT(leaf, 0);
    const double head =
        static_cast<double>(grid.pressure.leaf(leaf)[grid::cell_index(2, 0, 2)]) * solver.cell() / (dt * g);
    EXPECT_NEAR(head, 0.96 - solver.cell() / 2, 0.005 * 0.96);
}

TEST_P(GridBand, what_comes_out_of_a_nozzle_deep_below_raises_the_level) {
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        frames = [1, 100]
        [domain]
        box = [[0, 0, 0], [0.96, 1.5, 0.96]]
        [[liquid]]
        spacing = 0.02
        fill = {{ box = [[0, 0, 0], [0.96, 0.8, 0.96]] }}
        [[emitter]]
        disc = {{ radius = 0.1 }}
        position = [0.48, 0.3, 0.48]
        direction = [0, 1, 0]
        speed = 1
        [flip]
        narrow_band = 4)",
                                        GetParam()));
    const double before = simulation.statistics().volume;
    run_for(simulation, 1);
    const double gain = simulation.statistics().volume - before, expected = 3.14159265 * 0.01;
    fmt::print("{}: gain {:.4f} of {:.4f} m3\n", GetParam(), gain, expected);
    // 1 % of the whole is a third of what came.
    EXPECT_NEAR(gain, expected, 0.01 * before);
}

INSTANTIATE_TEST_SUITE_P(Methods, GridBand, testing::Values("flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace spindrift
