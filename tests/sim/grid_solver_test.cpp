// Simulations whose pressure is found on a grid: bits, resumes and odd scenes.

#include <cmath>

#include "complaint.h"
#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"

namespace spindrift::sim {
namespace {

Scene scene(const std::string& toml, const std::vector<std::string>& overrides = {}) {
    return parse_scene(toml, "test.toml", overrides);
}

/// An emitter, a killer, obstacles, a crate, tension, a force with keys, reseeding and spray.
std::string everything(const std::string& method) {
    return "solver = \"" + method + R"("
    frames = [1, 12]
    gravity = { keys = [[1, [0, -9.81, 0]], [12, [3, -9.81, 1]]], interpolation = "smooth" }
    [domain]
    box = [[0, 0, 0], [0.63, 0.6, 0.33]]
    friction = 0.2
    [flip]
    cfl = 2
    [[liquid]]
    surface_tension = 0.5
    spacing = 0.015
    fill = { box = [[0, 0, 0], [0.24, 0.3, 0.33]], sampling = "jittered", jitter = 0.2 }
    [[emitter]]
    disc = { radius = 0.05 }
    position = [0.4, 0.5, 0.15]
    speed = [[1, 1.0], [12, 3.0]]
    spread_deg = 3
    [[force]]
    type = "vortex"
    position = [0.3, 0, 0.15]
    strength = [[1, 0.0], [6, 8.0]]
    radius = 0.2
    [[killer]]
    inside = { box = [[0.5, 0, 0], [0.63, 0.03, 0.33]] }
    [[collider]]
    name = "ball"
    sphere = { center = [0.35, 0.02, 0.15], radius = 0.07 }
    [[collider]]
    name = "gate"
    box = [[0.55, 0, 0], [0.58, 0.1, 0.33]]
    position = { keys = [[1, [0, 0, 0]], [12, [-0.05, 0, 0]]] }
    [[body]]
    box = [[-0.05, -0.05, -0.05], [0.05, 0.05, 0.05]]
    position = [0.12, 0.4, 0.15]
    density = 400
    )";
}

class GridSolver : public testing::TestWithParam<const char*> {};

TEST_P(GridSolver, has_the_same_bits_for_any_number_of_threads_and_after_resumes) {
    const Scene all = scene(everything(GetParam()));
    const auto whole = [&](int threads) {
        const ThreadLimit limit(threads);
        Simulation simulation(all);
        simulation.fill();
        const std::size_t before = simulation.particle_count();
        run_to(simulation, 9);
        const Snapshot end = simulation.snapshot();
        if (threads == 1) {
            // All of it took part: the emitter gave more than reseeding and the killer moved.
            EXPECT_GT(simulation.particle_count(), before + 100);
            EXPECT_GT(length(simulation.bodies().ledger().given), 0);
        }
        return content_hash(end);
    };
    const std::string one = whole(1);
    EXPECT_EQ(whole(2), one);
    EXPECT_EQ(whole(3), one);

    // Stopped at a frame, and again within one.
    Simulation first(all);
    first.fill();
    run_to(first, 4);
    Simulation second(all);
    second.restore(first.snapshot(), "frame");
    run_to(second, 6);
    EXPECT_FALSE(second.advance_frame(StopAfter(1)));
    EXPECT_TRUE(second.between_frames());
    Simulation third(all);
    third.restore(second.snapshot(), "checkpoint");
    run_to(third, 9);
    EXPECT_EQ(content_hash(third.snapshot()), one);
}

INSTANTIATE_TEST_SUITE_P(Methods, GridSolver, testing::Values("flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

const std::string open_box = "[domain]\nbox = [[0, 0, 0], [1, 1, 1]]\n";

TEST(GridSolverOdd, an_emitter_may_begin_long_after_the_start) {
    Simulation simulation(scene("solver = \"apic\"\nframes = [1, 12]\n" + open_box + R"(
        [[liquid]]
        spacing = 0.02
        [[emitter]]
        disc = { radius = 0.1 }
        position = [0.5, 0.8, 0.5]
        speed = 2
        active = [6, 12])"));
    simulation.fill();
    run_to(simulation, 5);
    EXPECT_EQ(simulation.particle_count(), 0u);
    run_to(simulation, 12);
    // Six frames at 2 m/s through a disc of 0.0314 m2.
    EXPECT_NEAR(simulation.statistics().volume, 2 * 0.0314 * 6 / 24, 0.1 * 2 * 0.0314 * 6 / 24);
}

TEST(GridSolverOdd, liquid_inside_a_collider_is_refused) {
    const std::string covered = "solver = \"flip\"\n" + open_box + R"(
        [[collider]]
        box = [[-0.2, -0.2, -0.2], [1.2, 0.6, 1.2]]
        [[liquid]]
        spacing = 0.05
        fill = { box = [[0.3, 0.1, 0.3], [0.7, 0.4, 0.7]] })";
    EXPECT_NE(complaint([&] { Simulation(scene(covered)).fill(); }).find("the fill lies inside the collider"),
              std::string::npos);
}

TEST(GridSolverOdd, a_collider_may_come_down_upon_all_of_the_liquid) {
    for (const std::string method : {"flip", "apic", "pic"}) {
        Simulation simulation(scene("solver = \"" + method + "\"\nframes = [1, 12]\n" + open_box + R"(
            [[collider]]
            box = [[-0.2, 0.5, -0.2], [1.2, 2, 1.2]]
            position = { keys = [[1, [0, 0, 0]], [8, [0, -0.7, 0]]] }
            [[liquid]]
            spacing = 0.05
            fill = { box = [[0, 0, 0], [1, 0.3, 1]] })"));
        simulation.fill();
        run_to(simulation, 12);
        // There is no place for it. Some may be lost; what is left has not gone wild, and somebody says so.
        const io::FrameStatistics s = simulation.statistics();
        EXPECT_LT(s.max_speed, 50) << method;
        EXPECT_LE(s.particles, 20u * 6 * 20) << method;
        EXPECT_TRUE(s.particles == 0 || !s.events.empty()) << method;
    }
}

TEST(GridSolverOdd, single_particles_fall_out_of_sight) {
    Simulation simulation(scene(R"(
        solver = "flip"
        frames = [1, 400]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.02, 0.02, 0.02]] })"));
    simulation.fill();
    ASSERT_EQ(simulation.particle_count(), 1u);
    run_to(simulation, 200);
    // A drop of 12 mm has a terminal speed of 16 m/s in air: g = 3/8 C rho_air / (rho r) v^2.
    const double terminal = std::sqrt(9.81 * 998.2 * 0.0124 / (0.375 * 0.47 * 1.2));
    EXPECT_NEAR(simulation.statistics().max_speed, terminal, 0.1 * terminal);
    EXPECT_LT(simulation.particles().origin.y, -30);
}

}  // namespace
}  // namespace spindrift::sim
