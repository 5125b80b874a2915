#include "spindrift/health/energy_bound.h"

#include <cmath>

#include "playback.h"
#include <gtest/gtest.h>

#include "spindrift/sim/make_solver.h"

namespace spindrift::health {
namespace {

constexpr double g = 9.81;

Scene make_scene(const std::string& toml) {
    return parse_scene(toml, "test.toml");
}

const std::string water = R"(
    [[liquid]]
    spacing = 0.02
    fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }
    )";

/// Speeds that every liquid may have: a spacing in a frame.
constexpr double small = 0.02 * 24;

/// A bound that took in one particle at a height, with a speed.
struct Taken {
    Scene scene;
    EnergyBound bound;
    collision::Walls walls{};
    bodies::Bodies bodies{{}};
    forces::ForceSet forces{};

    Taken(const std::string& toml, double height, float speed)
        : scene(make_scene(toml)), bound(scene, sim::make_property_rule(scene)) {
        ParticleStore particles;
        particles.append(1);
        particles.position()[0] = {0, static_cast<float>(height), 0, 0};
        particles.velocity()[0].x = speed;
        bound.take_in(particles, {0, 1});
    }
    void wait(double seconds) {
        forces = forces::make_forces(scene.gravity, scene.force, {}, {.frame = 1, .seconds = 0});
        bound.feel({.dt = seconds, .forces = &forces, .walls = &walls, .bodies = &bodies, .frame = 1});
    }
};

TEST(EnergyBound, a_floor_ends_the_fall) {
    Taken liquid("[domain]\nbox = [[-1, -1, -1], [1, 1, 1]]\n" + water, 0.5, 2);
    EXPECT_NEAR(liquid.bound.speed_of_liquid(0), std::sqrt(4 + 2 * g * 1.5), 1e-6);
    liquid.wait(10);
    EXPECT_NEAR(liquid.bound.speed_of_liquid(0), std::sqrt(4 + 2 * g * 1.5), 1e-6);
}

TEST(EnergyBound, without_one_liquid_falls_for_ever) {
    Taken liquid(water, 0, 0);
    EXPECT_NEAR(liquid.bound.speed_of_liquid(0), small, 1e-6);
    liquid.wait(10);
    EXPECT_NEAR(liquid.bound.speed_of_liquid(0), small + g * 10, 0.01 * g * 10);
    Taken open("[domain]\nbox = [[-1, -1, -1], [1, 1, 1]]\nopen = [\"bottom\"]\n" + water, 0, 0);
    open.wait(10);
    EXPECT_EQ(open.bound.speed_of_liquid(0), liquid.bound.speed_of_liquid(0));
}

TEST(EnergyBound, walls_push_and_lift_and_forces_act_in_time) {
    Taken moved("gravity = [0, 0, 0]\n" + water, 0, 0);
    moved.walls.fields.resize(1);
    moved.walls.fields[0].fastest = 3;
    moved.wait(2);
    EXPECT_NEAR(moved.bound.speed_of_liquid(0), 3, 1e-6);
    Taken lifted("[domain]\nbox = [[-1, 0, -1], [1, 9, 1]]\n" + water, 0, 0);
    lifted.walls.fields.resize(1);
    lifted.walls.fields[0].fastest = 3;
    lifted.wait(2);
    EXPECT_NEAR(lifted.bound.speed_of_liquid(0), std::sqrt(9 + 2 * g * 6), 1e-6);
    Taken stirred("gravity = [0, 0, 0]\n" + water + "[[force]]\ntype = \"vortex\"\nstrength = 4\n", 0, 0);
    stirred.wait(2);
    EXPECT_NEAR(stirred.bound.speed_of_liquid(0), small + 8, 1e-6);
    Taken blown("gravity = [0, 0, 0]\n" + water + "[[force]]\ntype = \"drag\"\nrate = 9\nwind = [5, 0, 0]\n", 0, 0);
    blown.wait(100);
    EXPECT_NEAR(blown.bound.speed_of_liquid(0), 5, 1e-6);
}

TEST(EnergyBound, a_light_liquid_takes_the_energy_of_a_heavy_one) {
    Taken liquid("[domain]\nbox = [[-1, 0, -1], [1, 1, 1]]\n" + water + R"(
        [[liquid]]
        name = "light"
        spacing = 0.02
        density = 10
        fill = { box = [[0.2, 0, 0], [0.3, 0.1, 0.1]] }
        )",
                 1, 0);
    EXPECT_NEAR(liquid.bound.speed_of_liquid(1) / liquid.bound.speed_of_liquid(0), std::sqrt(998.2 / 10), 0.01);
}

/// What a snapshot says of the bound, and where that stands in its state.
std::string bound_in(const std::string& state) {
    const std::size_t at = state.find("\"energy_bound\":[");
    return at == std::string::npos ? "" : state.substr(at, state.find("],", at) + 2 - at);
}

TEST(EnergyBound, goes_on_from_a_frame_and_begins_anew_at_frames_that_know_nothing) {
    const std::string toml = "frames = [1, 6]\n" + water;
    sim::Simulation whole(make_scene(toml));
    whole.fill();
    run_to(whole, 4);
    sim::Snapshot frame = whole.snapshot();
    run_to(whole, 6);
    sim::Simulation again(make_scene(toml));
    again.restore(frame, "frame");
    run_to(again, 6);
    const std::string told = bound_in(whole.snapshot().state);
    EXPECT_NE(told, "");
    EXPECT_EQ(bound_in(again.snapshot().state), told);

    const std::string known = bound_in(frame.state);
    frame.state.erase(frame.state.find(known), known.size());
    again.restore(frame, "frame");
    run_to(again, 6);
    again.statistics();
    EXPECT_TRUE(again.verdict().events.empty());
}

}  // namespace
}  // namespace spindrift::health
