// Everything at once: three liquids, two spacings, tension, viscosity, an emitter, a killer and a force with keys.

#include "playback.h"
#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/core/parallel.h"

namespace spindrift {
namespace {

const std::string everything = R"(
    frames = [1, 12]
    gravity = { keys = [[1, [0, -9.81, 0]], [12, [3, -9.81, 1]]], interpolation = "smooth" }
    [domain]
    box = [[0, 0, 0], [0.6, 0.6, 0.3]]
    friction = 0.2
    [solver]
    viscosity = "central"
    [[liquid]]
    name = "water"
    density = 1000
    tension = 0.3
    spacing = 0.02
    fill = { box = [[0, 0, 0], [0.24, 0.3, 0.3]] }
    [[liquid]]
    name = "syrup"
    density = 1400
    viscosity = 0.01
    spacing = 0.01
    fill = { box = [[0.4, 0, 0], [0.6, 0.1, 0.3]], sampling = "jittered", jitter = 0.1 }
    [[liquid]]
    name = "oil"
    density = 800
    viscosity = 1e-4
    surface_tension = 5.0
    spacing = 0.02
    [[emitter]]
    liquid = "oil"
    disc = { radius = 0.05 }
    position = [0.4, 0.5, 0.15]
    speed = [[1, 1.0], [12, 2.0]]
    jitter = 0.05
    spread_deg = 3
    [[force]]
    type = "vortex"
    position = [0.3, 0, 0.15]
    strength = [[1, 0.0], [6, 8.0]]
    radius = 0.2
    [[killer]]
    inside = { box = [[0.5, 0, 0], [0.6, 0.05, 0.3]] }
    active = [4, 12]
    [[killer]]
    isolated = 1
    )";

TEST(Everything, has_the_same_bits_for_any_number_of_threads) {
    std::vector<std::string> hashes;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Started simulation(everything);
        const std::size_t before = simulation.particle_count();
        run_to(simulation, 8);
        const sim::Snapshot end = simulation.snapshot();
        hashes.push_back(content_hash(end));
        if (threads > 1) continue;
        // All of it took part: particles came and went, and none was lost to the numbers.
        const auto id = end.channels.find("id")->as<std::int64_t>();
        std::size_t born = 0;
        for (const std::int64_t i : id)
            born += static_cast<std::size_t>(i) >= before ? 1 : 0;
        const io::FrameStatistics s = simulation.statistics();
        fmt::print("particles {} at first, {} now, {} of them from the emitter; error {:.4f} speed {:.2f} events {}\n",
                   before, s.particles, born, s.mean_density_error, s.max_speed, fmt::join(s.events, "; "));
        EXPECT_GT(born, 100u);
        EXPECT_LT(s.particles - born, before);
    }
    EXPECT_EQ(hashes[1], hashes[0]);
    EXPECT_EQ(hashes[2], hashes[0]);
}

TEST(Everything, goes_on_bit_for_bit_from_the_middle_of_a_frame) {
    Started whole(everything);
    run_to(whole, 9);

    Started stopped(everything);
    run_to(stopped, 6);
    EXPECT_FALSE(stopped.advance_frame(sim::StopAfter(3)));
    EXPECT_TRUE(stopped.between_frames());
    const sim::Snapshot checkpoint = stopped.snapshot();

    sim::Simulation again(parse_scene(everything, "test.toml"));
    again.restore(checkpoint, "checkpoint");
    run_to(again, 9);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

}  // namespace
}  // namespace spindrift
