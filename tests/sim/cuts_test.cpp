// Bits do not depend on how work is cut into ranges: the ground that many machines stand on.

#include <string>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::sim {
namespace {

constexpr int frames = 8;

/// Two liquids, of two spacings where the solver can, a wall that moves, one with a distance field, an emitter, a
/// killer, a body, viscosity and surface tension: every sum that feeds back into results takes part.
std::string everything(const std::string& solver) {
    const bool grid = solver != "pbf";
    return "solver = \"" + solver + R"("
        frames = [1, 8]
        [domain]
        box = [[0, 0, 0], [0.6, 0.5, 0.3]]
        [[liquid]]
        name = "water"
        spacing = 0.016
        fill = { box = [[0, 0, 0], [0.25, 0.3, 0.3]] }
        [[liquid]]
        name = "oil"
        viscosity = 0.05
        fill = { box = [[0.25, 0, 0], [0.4, 0.15, 0.3]] }
        )" +
           (grid ? "spacing = 0.016\n" : "spacing = 0.02\ndensity = 800\n") + R"(
        [[emitter]]
        liquid = "water"
        disc = { radius = 0.04 }
        position = [0.5, 0.4, 0.15]
        speed = 2.0
        [[killer]]
        inside = { box = [[0.5, 0, 0], [0.6, 0.03, 0.3]] }
        [[collider]]
        sphere = { center = [0.45, 0.02, 0.15], radius = 0.07 }
        [[collider]]
        box = [[-0.03, -0.03, -0.05], [0.03, 0.03, 0.05]]
        position = [[1, [0.1, 0.13, 0.15]], [8, [0.3, 0.18, 0.15]]]
        [[body]]
        box = [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]]
        position = [0.12, 0.38, 0.15]
        density = 400
        )";
}

std::string hash_of_run(const Scene& scene) {
    Simulation simulation(scene);
    simulation.fill();
    run_to(simulation, frames);
    return content_hash(simulation.snapshot());
}

class Cuts : public testing::TestWithParam<const char*> {};

TEST_P(Cuts, of_loops_do_not_change_a_bit) {
    const Scene scene = parse_scene(everything(GetParam()), "test.toml");
    const std::string plain = hash_of_run(scene);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const VariedChunks varied(seed);
        EXPECT_EQ(hash_of_run(scene), plain) << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Cuts, testing::Values("pbf", "flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace spindrift::sim
