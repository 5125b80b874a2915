// Bodies in liquid whose pressure is found on a grid, and walls that move.

#include <cmath>

#include "playback.h"
#include "support.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

/// Angle between a body's own vertical and the world's, degrees.
double tilt_deg(const bodies::BodyState& body) {
    const double up = 1 - 2 * (body.turn[0] * body.turn[0] + body.turn[2] * body.turn[2]);
    return std::acos(std::clamp(up, -1.0, 1.0)) * 57.29578;
}

class GridBodies : public testing::TestWithParam<const char*> {};

TEST_P(GridBodies, a_box_of_half_the_density_floats_upright_at_half_its_height) {
    // Wide enough to be stable: 0.30 x 0.20 x 0.30 m.
    constexpr double width = 1.2, depth = 0.4;
    auto simulation = start(fmt::format(R"(
        solver = "{0}"
        frames = [1, 500]
        [domain]
        box = [[0, 0, 0], [{1}, 2, {1}]]
        [[liquid]]
        density = 1000
        spacing = 0.02
        fill = {{ box = [[0, 0, 0], [{1}, {2}, {1}]] }}
        [[body]]
        box = [[-0.15, -0.1, -0.15], [0.15, 0.1, 0.15]]
        position = [0.6, 0.4, 0.6]
        density = 500)",
                                        GetParam(), width, depth));
    run_for(simulation, 2);
    double draft = 0, lowest = 9, highest = 0, tilt = 0;
    int samples = 0;
    run_for(simulation, 1, [&](double) {
        const bodies::BodyState body = simulation.bodies().state().bodies[0];
        // Twice the mean height far from the body.
        double sum = 0, count = 0;
        for (const Vec3d& x : positions(simulation)) {
            if (std::abs(x.x - 0.6) < 0.35 && std::abs(x.z - 0.6) < 0.35) continue;
            sum += x.y;
            count += 1;
        }
        draft += 2 * sum / count - (body.center.y - 0.1);
        lowest = std::min(lowest, body.center.y);
        highest = std::max(highest, body.center.y);
        tilt = std::max(tilt, tilt_deg(body));
        ++samples;
    });
    draft /= samples;
    fmt::print("{}: draft {:.4f} heave {:.4f} tilt {:.2f}\n", GetParam(), draft, highest - lowest, tilt);
    // Good solvers have 7 % of the height; measured are 1.9 %, a tenth of a cell, and a heave of 0.8 %, which is what
    // is left of its first bobbing.
    EXPECT_NEAR(draft, 0.1, 0.04 * 0.2);
    EXPECT_LT(tilt, 1);
    EXPECT_LT(highest - lowest, 0.01 * 0.2);
}

TEST_P(GridBodies, liquid_and_cube_roughly_keep_their_momentum_when_they_meet) {
    for (const double ratio : {0.5, 2.0}) {
        auto simulation = start(fmt::format(R"(
            solver = "{}"
            gravity = [0, 0, 0]
            frames = [1, 100]
            [[liquid]]
            density = 1000
            spacing = 0.02
            fill = {{ sphere = {{ center = [0, 0, 0], radius = 0.16 }} }}
            [[body]]
            box = [[-0.08, -0.08, -0.08], [0.08, 0.08, 0.08]]
            position = [-0.32, 0.03, 0.02]
            velocity = [2, 0, 0]
            density = {})",
                                            GetParam(), 1000 * ratio));
        const auto momentum = [&] {
            Vec3d sum = simulation.statistics().momentum;
            const bodies::BodyState body = simulation.bodies().state().bodies[0];
            return sum + body.velocity * (1000 * ratio * std::pow(0.16, 3));
        };
        const Vec3d before = momentum();
        run_for(simulation, 0.3);
        const double change = length(momentum() - before) / length(before);
        fmt::print("{} ratio {}: body {:.3f} m/s, momentum change {:.2e}\n", GetParam(), ratio,
                   simulation.bodies().state().bodies[0].velocity.x, change);
        // It has met the liquid and lost some of its speed. Good solvers change the sum by 1e-3. Here up to 11 % is
        // made or lost in the impact; two drops without a body are off by 3 % while they meet. Faces at a surface weigh
        // as much as others in the pressure, and have fewer particles.
        EXPECT_LT(simulation.bodies().state().bodies[0].velocity.x, 1.8);
        EXPECT_LT(change, 0.15);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, GridBodies, testing::Values("flip", "apic"),
                         [](const auto& method) { return std::string(method.param); });

TEST(GridWalls, a_piston_pushes_liquid_up_and_keeps_its_volume) {
    // A block that is as wide and deep as the channel moves in from the left by a quarter of the liquid's length.
    auto simulation = start(R"(
        solver = "flip"
        frames = [1, 60]
        fps = 24
        [domain]
        box = [[0, 0, 0], [0.8, 0.8, 0.2]]
        [[collider]]
        box = [[-0.4, -0.1, -0.1], [0, 0.9, 0.3]]
        position = { keys = [[1, [0, 0, 0]], [49, [0.2, 0, 0]]] }
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.8, 0.2, 0.2]] })");
    const std::size_t count = simulation.particle_count();
    sim::run_to(simulation, 58);
    const std::vector<Vec3d> x = positions(simulation);
    double left = 1;
    for (const Vec3d& p : x)
        left = std::min(left, p.x);
    const double level = 2 * mean_of(x, 1);
    fmt::print("piston: leftmost {:.4f} level {:.4f}\n", left, level);
    simulation.snapshot();
    EXPECT_EQ(simulation.particle_count(), count);
    // The wall stands at 0.2 m, the level is 0.2 * 0.8 / 0.6.
    EXPECT_GT(left, 0.2 - 0.002);
    EXPECT_NEAR(level, 0.2 * 0.8 / 0.6, 0.05 * 0.2 * 0.8 / 0.6);
}

TEST(GridWalls, liquid_in_a_moving_container_moves_with_it) {
    // A box of walls around the liquid speeds up gently to 0.3 m/s and goes on.
    auto simulation = start(R"(
        solver = "apic"
        frames = [1, 100]
        fps = 24
        [[collider]]
        name = "left"
        box = [[-0.3, 0, -0.3], [-0.2, 0.5, 0.3]]
        position = { keys = [[1, [0, 0, 0]], [25, [0.15, 0, 0]], [73, [0.75, 0, 0]]], interpolation = "smooth" }
        [[collider]]
        name = "right"
        box = [[0.2, 0, -0.3], [0.3, 0.5, 0.3]]
        position = { keys = [[1, [0, 0, 0]], [25, [0.15, 0, 0]], [73, [0.75, 0, 0]]], interpolation = "smooth" }
        [[collider]]
        name = "floor"
        plane = { point = [0, 0, 0], normal = [0, 1, 0] }
        [[collider]]
        name = "front"
        plane = { point = [0, 0, -0.1], normal = [0, 0, 1] }
        [[collider]]
        name = "back"
        plane = { point = [0, 0, 0.1], normal = [0, 0, -1] }
        [[liquid]]
        spacing = 0.02
        fill = { box = [[-0.2, 0, -0.1], [0.2, 0.2, 0.1]] })");
    const std::size_t count = simulation.particle_count();
    sim::run_to(simulation, 73);
    const std::vector<Vec3d> x = positions(simulation);
    double least = 9, most = -9;
    for (const Vec3d& p : x) {
        least = std::min(least, p.x);
        most = std::max(most, p.x);
    }
    fmt::print("container: centre {:.4f} from {:.4f} to {:.4f} level {:.4f}\n", mean_of(x, 0), least, most,
               2 * mean_of(x, 1));
    simulation.snapshot();
    EXPECT_EQ(simulation.particle_count(), count);
    EXPECT_NEAR(mean_of(x, 0), 0.75, 0.03);
    EXPECT_GT(least, 0.55 - 0.002);
    EXPECT_LT(most, 0.95 + 0.002);
    EXPECT_NEAR(2 * mean_of(x, 1), 0.2, 0.02);
}

}  // namespace
}  // namespace spindrift
