#include "spindrift/sim/simulation.h"

#include "playback.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"

namespace spindrift::sim {
namespace {

const std::string dam = R"(
    frames = [1, 6]
    [domain]
    box = [[0, 0, 0], [0.8, 0.6, 0.3]]
    [[liquid]]
    spacing = 0.02
    fill = { box = [[0, 0, 0], [0.3, 0.4, 0.3]] })";

Scene scene(const std::string& toml) {
    return parse_scene(toml, "test.toml");
}

TEST(Simulation, restored_snapshot_goes_on_bit_for_bit) {
    Simulation whole(scene(dam));
    whole.fill();
    run_to(whole, 3);
    const Snapshot halfway = whole.snapshot();
    run_to(whole, 6);

    Simulation again(scene(dam));
    again.restore(halfway, "frame");
    EXPECT_EQ(again.frame(), 3);
    run_to(again, 6);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

TEST(Simulation, a_view_holds_what_a_snapshot_copies_until_particles_change) {
    for (const char* far : {"0", "1000"}) {
        Scene moved = scene(dam);
        for (Vec3d* corner : {&moved.domain->box.lo, &moved.domain->box.hi, &moved.liquid[0].fill[0].box->lo,
                              &moved.liquid[0].fill[0].box->hi})
            corner->x += std::stod(far);
        Simulation simulation(moved);
        simulation.fill();
        run_to(simulation, 2);
        const FrameView view = simulation.view();
        EXPECT_EQ(content_hash({view.copy(), simulation.state()}), content_hash(simulation.snapshot()));
        EXPECT_EQ(view.find("P_local") != nullptr, far == std::string("1000")) << "doubles far from the world's origin";
        EXPECT_NO_THROW(simulation.statistics());
        EXPECT_EQ(view.size(), simulation.particle_count()) << "looking changes nothing";
        simulation.advance(simulation.choose_dt());
        EXPECT_THROW(view.size(), UsageError);
    }
}

TEST(Simulation, measured_volume_tells_of_liquid_that_is_pressed_together) {
    for (const char* solver : {"pbf", "flip"}) {
        Simulation simulation(scene(fmt::format("solver = \"{}\"\n{}", solver, dam)));
        simulation.fill();
        run_to(simulation, 3);
        const io::FrameStatistics sound = simulation.statistics();
        // A dam that breaks is pressed together by a per cent or two on a grid, where cells are full before it tells.
        EXPECT_NEAR(sound.measured_volume / sound.volume, 1, 0.03) << solver;
        Snapshot pressed = simulation.snapshot();
        for (Vec3f& x : pressed.channels.find("P")->as<Vec3f>())
            x.y *= 0.5f;
        Simulation again(scene(fmt::format("solver = \"{}\"\n{}", solver, dam)));
        again.restore(pressed, "frame");
        again.advance(1e-5);
        const io::FrameStatistics half = again.statistics();
        EXPECT_EQ(half.volume, sound.volume);
        // The step has pushed a part of it apart again, and particles at the surface have fewer neighbours.
        EXPECT_LT(half.measured_volume / half.volume, 0.8) << solver;
        EXPECT_GT(half.measured_volume / half.volume, 0.45) << solver;
    }
}

TEST(Simulation, interrupted_between_frames_goes_on_bit_for_bit) {
    Simulation whole(scene(dam));
    whole.fill();
    run_to(whole, 4);

    Simulation stopped(scene(dam));
    stopped.fill();
    run_to(stopped, 2);
    EXPECT_FALSE(stopped.advance_frame(StopAfter(3)));
    EXPECT_TRUE(stopped.between_frames());
    const Snapshot checkpoint = stopped.snapshot();

    Simulation again(scene(dam));
    again.restore(checkpoint, "checkpoint");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
    EXPECT_EQ(again.statistics().substeps, whole.statistics().substeps);
}

TEST(Simulation, far_from_the_origin_the_exact_bits_survive_too) {
    const std::string far = R"(
        frames = [1, 6]
        [[liquid]]
        spacing = 0.02
        fill = { sphere = { center = [1000, 2000, -3000], radius = 0.2 } })";
    Simulation whole(scene(far));
    whole.fill();
    run_to(whole, 2);
    const Snapshot halfway = whole.snapshot();
    EXPECT_EQ(halfway.channels.find("P")->type().scalar, ScalarType::f64);
    EXPECT_NEAR(halfway.channels.find("P")->value(0, 0), 1000, 0.25);
    run_to(whole, 4);
    Simulation again(scene(far));
    again.restore(halfway, "frame");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

TEST(Simulation, origin_follows_a_liquid_that_falls_for_ever) {
    Simulation simulation(scene(R"(
        frames = [1, 200]
        [solver]
        substeps = 8
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] })"));
    simulation.fill();
    run_to(simulation, 100);
    EXPECT_LT(simulation.particles().origin.y, -30);
    // Free fall for 99 frames, symplectic Euler included: y = -g t (t + dt) / 2.
    const double t = 99.0 / 24, dt = 1.0 / 24 / 8;
    double mean = 0;
    for (const Float4& x : simulation.particles().position())
        mean += x.y;
    mean = mean / static_cast<double>(simulation.particle_count()) + simulation.particles().origin.y;
    EXPECT_NEAR(mean, 0.05 - 0.5 * 9.81 * t * (t + dt), 0.02);
}

TEST(Simulation, substeps_follow_speed_gravity_and_limits) {
    Simulation rest(scene(dam));
    rest.fill();
    // Gravity: g dt^2 = 0.016 spacings.
    EXPECT_NEAR(rest.choose_dt(), 1.0 / 24 / std::ceil(1.0 / 24 / std::sqrt(0.016 * 0.02 / 9.81)), 1e-9);

    // Speed counts against what a particle meets: two blocks fly into each other, a third flies along with nothing.
    const auto blocks = [](const std::string& velocity, const std::string& solver) {
        return scene(solver + R"(
        [[liquid]]
        spacing = 0.02
        fill = [{ box = [[0, 0, 0], [0.1, 0.1, 0.1]], velocity = [20, 0, 0] },
                { box = [[0.2, 0, 0], [0.3, 0.1, 0.1]], velocity = )" +
                     velocity + " }]");
    };
    Simulation fast(blocks("[-20, 0, 0]", ""));
    fast.fill();
    EXPECT_LE(fast.choose_dt(), 0.5 * 0.04 / 20);
    EXPECT_GE(fast.choose_dt(), 0.3 * 0.04 / 40);
    Simulation together(blocks("[20, 0, 0]", ""));
    together.fill();
    EXPECT_EQ(together.choose_dt(), rest.choose_dt());

    Simulation limited(blocks("[-20, 0, 0]", "solver.substeps = [1, 4]"));
    limited.fill();
    EXPECT_NEAR(limited.choose_dt(), 1.0 / 96, 1e-9);
    run_to(limited, 2);
    ASSERT_FALSE(limited.statistics().events.empty());
    EXPECT_NE(limited.statistics().events[0].find("substeps limited"), std::string::npos);
}

TEST(Simulation, statistics_add_up) {
    Simulation simulation(scene(dam));
    simulation.fill();
    const io::FrameStatistics start = simulation.statistics();
    EXPECT_EQ(start.particles, 15u * 20 * 15);
    EXPECT_NEAR(start.volume, 0.3 * 0.4 * 0.3, 1e-9);
    EXPECT_NEAR(start.potential_energy, start.volume * 998.2 * 9.81 * 0.2, 0.01 * start.potential_energy);
    EXPECT_EQ(start.kinetic_energy, 0);
    run_to(simulation, 4);
    const io::FrameStatistics later = simulation.statistics();
    EXPECT_EQ(later.frame, 4);
    EXPECT_NEAR(later.time, 3.0 / 24, 1e-12);
    EXPECT_EQ(later.iterations, 4);
    EXPECT_GT(later.substeps, 1);
    EXPECT_GT(later.kinetic_energy, 0);
    // Energy falls, and before the first impact hardly.
    EXPECT_LT(later.kinetic_energy + later.potential_energy, start.potential_energy * 1.001);
    EXPECT_GT(later.kinetic_energy + later.potential_energy, start.potential_energy * 0.95);
    EXPECT_FALSE(later.phases.empty());
}

TEST(Simulation, damaged_snapshots_are_refused) {
    Simulation simulation(scene(dam));
    simulation.fill();
    const Snapshot good = simulation.snapshot();
    Simulation again(scene(dam));
    Snapshot bad{{}, good.state};
    EXPECT_THROW(again.restore(bad, "frame"), IoError);
    bad.channels.add("P", {ScalarType::f32, 3}, 2);
    bad.channels.add("v", {ScalarType::f64, 3}, 2);
    EXPECT_THROW(again.restore(bad, "frame"), IoError);
}

}  // namespace
}  // namespace spindrift::sim
