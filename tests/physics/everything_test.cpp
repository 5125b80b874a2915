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

/// The same around a ball, with a crate and cameras that look at some of it.
const std::string with_levels = everything + R"(
    [[collider]]
    sphere = { center = [0.3, 0.02, 0.15], radius = 0.07 }
    [[body]]
    name = "crate"
    box = [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]]
    position = [0.12, 0.3, 0.15]
    density = 400
    [[camera]]
    name = "moving"
    position = { keys = [[1, [-0.5, 0.5, 1.5]], [12, [1, 0.5, 1.5]]] }
    target = [0.3, 0.2, 0.15]
    [[camera]]
    name = "standing"
    position = [0.3, 0.1, -2]
    target = [0.3, 0.2, 0.15]
    [lod]
    model = "dtvs"
    fewest = 1
    blend = "mean"
    )";

TEST(Everything, has_levels_of_detail_with_the_same_bits_for_any_number_of_threads_and_after_a_resume) {
    Started whole(with_levels);
    run_to(whole, 8);
    const io::FrameStatistics s = whole.statistics();
    fmt::print("iterations {:.2f} error {:.4f} speed {:.2f} momentum of bodies off by {:.1e} events {}\n", s.iterations,
               s.mean_density_error, s.max_speed,
               length(whole.bodies().ledger().given - whole.bodies().ledger().received), fmt::join(s.events, "; "));
    EXPECT_GT(s.iterations, 1.1);
    EXPECT_LT(s.iterations, 3.9);
    EXPECT_LT(s.mean_density_error, 0.02);
    EXPECT_LT(length(whole.bodies().ledger().given - whole.bodies().ledger().received),
              1e-6 * length(whole.bodies().ledger().given));

    const ThreadLimit one(1);
    Started stopped(with_levels);
    run_to(stopped, 5);
    EXPECT_FALSE(stopped.advance_frame(sim::StopAfter(3)));
    sim::Simulation again(parse_scene(with_levels, "test.toml"));
    again.restore(stopped.snapshot(), "checkpoint");
    run_to(again, 8);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

}  // namespace
}  // namespace spindrift
