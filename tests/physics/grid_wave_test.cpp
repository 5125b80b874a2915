// Standing waves with pressure on a grid: they neither grow nor die, wherever the level lies among the cells.

#include <cmath>
#include <numbers>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double g = 9.81, d = 0.0125, length = 30 * d, width = 8 * d, depth = 25 * d;

/// Amplitude of the first mode, in spacings: of cos(k x) in the height of what stands on the floor.
double mode(const sim::Simulation& simulation) {
    double sum = 0;
    for (const Vec3d& x : positions(simulation))
        sum += std::cos(std::numbers::pi * x.x / length) * d * d * d;
    return 2 * sum / (length * width) / d;
}

/// What is left of a wave's height after a period, by its peaks in the second and the fourth.
double kept(const std::string& method, double raised) {
    const double k = std::numbers::pi / length, floor = raised * d;
    const double period = 2 * std::numbers::pi / std::sqrt(g * k * std::tanh(k * depth));
    const std::string level = fmt::format("{} + {} * cos({} * x)", floor + depth, 1.6 * d, k);
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        frames = [1, 100]
        [domain]
        box = [[0, {}, 0], [{}, 0.5, {}]]
        [[liquid]]
        density = 1000
        spacing = {}
        fill = {{ level = "{}" }})",
                                        method, floor, length, width, d, level));
    double peaks[4] = {};
    for (double& peak : peaks) {
        run_for(simulation, period, [&](double) { peak = std::max(peak, std::abs(mode(simulation))); });
    }
    fmt::print("{} raised {}: {:.2f} {:.2f} {:.2f} {:.2f} spacings high\n", method, raised, peaks[0], peaks[1],
               peaks[2], peaks[3]);
    return std::sqrt(peaks[3] / peaks[1]);
}

TEST(GridWave, a_wave_lower_than_a_cell_neither_grows_nor_dies_wherever_its_level_is) {
    // With FLIP the share of PIC takes 4 % of it in a period: exp(-nu k^2 T) with nu = 0.03 cell^2 / (6 dt). Where
    // cells were deep or not by chance it grew by up to a tenth.
    for (const double raised : {0.0, 0.5, 1.0, 1.5}) {
        for (const char* const method : {"flip", "apic"}) {
            const double share = kept(method, raised);
            EXPECT_GT(share, 0.9) << method << " raised " << raised;
            EXPECT_LT(share, 1.01) << method << " raised " << raised;
        }
    }
}

/// Kinetic energy over m g H of water whose particles stand at random, after six seconds.
double restless(const std::string& method, double raised) {
    constexpr double x = 16 * d, z = 12 * d;
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        frames = [1, 200]
        [domain]
        box = [[0, {}, 0], [{}, 0.5, {}]]
        [[liquid]]
        density = 1000
        spacing = {}
        fill = {{ box = [[0, {}, 0], [{}, {}, {}]], sampling = "jittered", jitter = 0.5 }})",
                                        method, raised * d, x, z, d, raised * d, x, raised * d + depth, z));
    run_for(simulation, 6);
    const io::FrameStatistics s = simulation.statistics();
    return s.kinetic_energy / (s.volume * 1000 * g * depth);
}

TEST(GridWave, water_whose_particles_stand_at_random_comes_to_rest) {
    // 1e-5 is good.
    for (const double raised : {0.0, 0.6, 1.35}) {
        for (const char* const method : {"flip", "apic"})
            EXPECT_LT(restless(method, raised), 3e-6) << method << " raised " << raised;
    }
}

}  // namespace
}  // namespace spindrift
