// Volume of liquid that falls and settles, with pressure on a grid.

#include <cmath>
#include <map>

#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

constexpr double spacing = 0.025, cell = 2 * spacing;

/// A slab of the unit box.
constexpr Vec3i cells{20, 20, 4};

using Counts = std::map<std::array<int, 3>, int>;

/// Those of the cells whose 26 neighbours are among them or in a wall of the box.
Counts eroded(const Counts& counts) {
    Counts inner;
    for (const auto& [at, count] : counts) {
        bool all = true;
        for (int n = 0; n < 27 && all; ++n) {
            const std::array<int, 3> c{at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
            const bool in_wall =
                std::min({c[0], c[1], c[2]}) < 0 || c[0] >= cells.x || c[1] >= cells.y || c[2] >= cells.z;
            all = in_wall || counts.contains(c);
        }
        if (all) inner[at] = count;
    }
    return inner;
}

/// Mean number of particles, of eight, in cells that are two cells off the air; those nearer need not be full.
double filling(const sim::Simulation& simulation) {
    Counts counts;
    for (const Vec3d& x : positions(simulation))
        ++counts[{static_cast<int>(std::floor(x.x / cell)), static_cast<int>(std::floor(x.y / cell)),
                  static_cast<int>(std::floor(x.z / cell))}];
    const Counts inner = eroded(eroded(counts));
    double sum = 0;
    for (const auto& [at, count] : inner)
        sum += count;
    return sum / static_cast<double>(inner.size()) / 8;
}

class GridVolume : public testing::TestWithParam<double> {};

TEST_P(GridVolume, a_dam_that_breaks_and_settles_keeps_its_volume_and_particles) {
    for (const std::string method : {"flip", "apic"}) {
        if (method == "apic" && GetParam() < 4) continue;
        auto simulation = start(fmt::format(R"(
            solver = "{}"
            flip.cfl = {}
            [domain]
            box = [[0, 0, 0], [1, 1, 0.2]]
            [[liquid]]
            spacing = {}
            fill = {{ box = [[0, 0, 0], [0.4, 1, 0.2]] }})",
                                            method, GetParam(), spacing));
        const std::size_t count = simulation.particle_count();
        double least = 2, most = 0;
        for (int second = 0; second < 10; ++second) {
            run_for(simulation, 1);
            // While it splashes there is air in it.
            if (second < 5) continue;
            least = std::min(least, filling(simulation));
            most = std::max(most, filling(simulation));
        }
        fmt::print("{} cfl {}: filling {:.4f} to {:.4f}, at the end {:.4f}\n", method, GetParam(), least, most,
                   filling(simulation));
        // Those that are born take the place of others, which are counted until the snapshot drops them.
        simulation.snapshot();
        EXPECT_EQ(simulation.particle_count(), count);
        // Measured are 0.977 to 0.993: beside the surface a surplus is evened out that chance makes, and no lack.
        EXPECT_GT(least, 0.975);
        EXPECT_LT(most, 1.02);
    }
}

INSTANTIATE_TEST_SUITE_P(Cfl, GridVolume, testing::Values(1.0, 2.0, 4.0),
                         [](const auto& cfl) { return fmt::format("{:.0f}", cfl.param); });

}  // namespace
}  // namespace spindrift
