// Two simulations in two threads of one program.

#include <array>
#include <barrier>
#include <string>
#include <thread>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::sim {
namespace {

// A ball is a collider with a distance field, and the crate pushes back: all parts of a step take part.
Scene scene(const std::string& solver) {
    return parse_scene("solver = \"" + solver + R"("
        frames = [1, 6]
        [domain]
        box = [[0, 0, 0], [0.6, 0.5, 0.3]]
        [[liquid]]
        spacing = 0.016
        fill = { box = [[0, 0, 0], [0.25, 0.3, 0.3]] }
        [[collider]]
        sphere = { center = [0.4, 0.02, 0.15], radius = 0.07 }
        [[body]]
        box = [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]]
        position = [0.12, 0.38, 0.15]
        density = 400
        )",
                       "test.toml");
}

std::string hash_of_run(const Scene& scene) {
    Simulation simulation(scene);
    simulation.fill();
    run_to(simulation, 6);
    return content_hash(simulation.snapshot());
}

TEST(TwoSimulations, at_once_have_the_bits_that_each_has_alone) {
    const std::array scenes = {scene("pbf"), scene("flip")};
    const std::array alone = {hash_of_run(scenes[0]), hash_of_run(scenes[1])};
    // Each once with the smaller limit, and two of a kind.
    constexpr std::array<std::array<std::size_t, 2>, 3> pairs = {{{0, 1}, {1, 0}, {0, 0}}};
    for (const auto& pair : pairs) {
        std::array<std::string, 2> hashes;
        std::barrier both(2);
        const auto run = [&](std::size_t k) {
            const ThreadLimit limit(k == 0 ? 1 : 3);
            both.arrive_and_wait();
            hashes[k] = hash_of_run(scenes[pair[k]]);
        };
        std::jthread other([&] { run(1); });
        run(0);
        other.join();
        EXPECT_EQ(hashes[0], alone[pair[0]]);
        EXPECT_EQ(hashes[1], alone[pair[1]]);
    }
}

}  // namespace
}  // namespace spindrift::sim
