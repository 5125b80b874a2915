// Gravity, forces and cameras that change over time.

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/core/hash.h"
#include "spindrift/sim/simulation.h"
#include "spindrift/stages/pictures/shot.h"

namespace spindrift::sim {
namespace {

Scene scene(const std::string& toml) {
    return parse_scene(toml + R"(
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] })",
                       "test.toml");
}

double mean_height(const Simulation& simulation) {
    double sum = 0;
    for (const Float4& x : simulation.particles().position())
        sum += x.y + simulation.particles().origin.y;
    return sum / static_cast<double>(simulation.particle_count());
}

double mean_rise(const Simulation& simulation) {
    double sum = 0;
    for (const Float4& v : simulation.particles().velocity())
        sum += v.y;
    return sum / static_cast<double>(simulation.particle_count());
}

TEST(Animation, keyed_gravity_reverses_a_fall) {
    // The first frame of the shot is not the first of the keys' numbers.
    Simulation simulation(scene("frames = [101, 140]\ngravity = [[101, [0, -9.81, 0]], [125, [0, 9.81, 0]]]\n"));
    simulation.fill();
    constexpr double g = 9.81;
    EXPECT_GT(simulation.statistics().potential_energy, 0);
    // a = -g + 2 g t for a second: v = -g t + g t^2, y = -g t^2 / 2 + g t^3 / 3.
    run_to(simulation, 113);
    EXPECT_NEAR(mean_rise(simulation), -g / 4, 0.01 * g / 4);
    run_to(simulation, 125);
    EXPECT_NEAR(mean_rise(simulation), 0, 0.01 * g / 4);
    EXPECT_NEAR(mean_height(simulation), 0.05 - g / 6, 0.01 * g / 6);
    // It points up now, so what lies low has energy to give.
    EXPECT_GT(simulation.statistics().potential_energy, 0);
    run_to(simulation, 137);
    EXPECT_NEAR(mean_rise(simulation), g / 2, 0.01 * g / 2);
}

TEST(Animation, substeps_foresee_what_grows_within_the_frame) {
    Simulation rest(scene("gravity = [0, 0, 0]\n"));
    rest.fill();
    EXPECT_NEAR(rest.choose_dt(), 1.0 / 24, 1e-12);
    Simulation ramp(scene("gravity = [[1, [0, 0, 0]], [2, [0, -100, 0]]]\n"));
    ramp.fill();
    Simulation full(scene("gravity = [0, -100, 0]\n"));
    full.fill();
    EXPECT_EQ(ramp.choose_dt(), full.choose_dt());
}

TEST(Animation, moving_forces_go_on_bit_for_bit_after_an_interruption) {
    const Scene stirred = scene(R"(
        gravity = { keys = [[1, [0, 0, 0]], [4, [0, -9.81, 0]]], interpolation = "smooth" }
        [[force]]
        type = "noise"
        strength = [[1, 0.0], [3, 40]]
        scale = 0.05
        [[force]]
        type = "vortex"
        strength = 20
        radius = 0.1
        active = [2, 3]
        )");
    Simulation whole(stirred);
    whole.fill();
    run_to(whole, 4);
    Simulation stopped(stirred);
    stopped.fill();
    run_to(stopped, 2);
    EXPECT_FALSE(stopped.advance_frame(StopAfter(2)));
    ASSERT_TRUE(stopped.between_frames());
    Simulation again(stirred);
    again.restore(stopped.snapshot(), "checkpoint");
    run_to(again, 4);
    EXPECT_EQ(content_hash(again.snapshot()), content_hash(whole.snapshot()));
}

TEST(Animation, pictures_are_seen_by_the_camera_at_their_frame) {
    const std::string look = "[render]\nresolution = [48, 27]\nrange = [0, 1]\n[[camera]]\ntarget = [0, 0, 0]\n";
    const Scene moving = scene(look + "position = [[1, [0, 0, 2]], [11, [0, 0, 4]]]\n");
    const Scene still = scene(look + "position = [0, 0, 3]\n");
    stages::FrameContent content;
    content.particles.add("P", {ScalarType::f32, 3}, 1).as<Vec3f>()[0] = {0.1f, 0.1f, 0};
    content.particles.add("v", {ScalarType::f32, 3}, 1);
    const stages::Shot shot = stages::plan_shot(moving, "", {}), other = stages::plan_shot(still, "", {});
    const auto picture = [&](const Scene& from, const stages::Shot& by, int frame) {
        content.frame = frame;
        return stages::draw_frame(from, by, content).image.pixels;
    };
    EXPECT_EQ(picture(moving, shot, 6), picture(still, other, 6));
    EXPECT_NE(picture(moving, shot, 1), picture(moving, shot, 6));
    EXPECT_EQ(picture(still, other, 1), picture(still, other, 6));

    Scene later = moving;
    later.camera[0].position.keys[1].frame = 12;
    EXPECT_NE(stages::look_hash(moving, shot), stages::look_hash(later, stages::plan_shot(later, "", {})));
    EXPECT_NE(stages::look_hash(moving, shot), stages::look_hash(still, other));
}

}  // namespace
}  // namespace spindrift::sim
