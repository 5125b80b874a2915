// Liquid on a grid beside walls that move, slant or stand between cells: it keeps its volume, and what has a velocity
// moves.

#include <cmath>
#include <map>

#include "support.h"
#include <gtest/gtest.h>

#include "spindrift/core/progress.h"

namespace spindrift {
namespace {

/// Mean share of particles by which the liquid is too dense.
double density_error(sim::Simulation& simulation) {
    return simulation.statistics().mean_density_error;
}

double worst_density_error(sim::Simulation& simulation, int frames) {
    double worst = 0;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.advance_frame(SilentProgress{});
        worst = std::max(worst, density_error(simulation));
    }
    return worst;
}

/// A ball that turns about its own centre pushes no water. The tank's last cells have this share: slivers are solid.
class BallThatTurns : public testing::TestWithParam<double> {};

TEST_P(BallThatTurns, does_not_press_on_the_water_of_a_tank_whose_walls_cut_cells) {
    const double half = 0.04 * (7 + GetParam());
    auto simulation = start(fmt::format(R"(
        solver = "flip"
        [domain]
        box = {}
        [[liquid]]
        spacing = 0.02
        fill = {{ box = {} }}
        [[collider]]
        sphere = {{ center = [0, 0, 0], radius = 0.08 }}
        position = [-0.05, 0.12, 0]
        rotation_deg = [[1, [0, 0, 0]], [25, [0, 720, 0]]])",
                                        box_text({-half, 0, -half}, {half, 0.5, half}),
                                        box_text({-half, 0, -half}, {half, 0.24, half})));
    const double worst = worst_density_error(simulation, 12);
    fmt::print("share {:.2f}: density error {:.3f}\n", GetParam(), worst);
    // Water that a ball at rest displaces settles within 1 %; walls at rest that took the ball's velocity gave 147 %
    // after four frames.
    EXPECT_LT(worst, 0.03);
}

INSTANTIATE_TEST_SUITE_P(GridWalls, BallThatTurns, testing::Values(0.05, 0.11, 0.14, 0.4, 0.95));

TEST(GridWalls, a_slanted_plate_at_rest_stays_at_rest_beside_a_ball_that_turns) {
    auto simulation = start(R"(
        solver = "flip"
        [domain]
        box = [[-0.32, 0, -0.24], [0.32, 0.5, 0.24]]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[-0.32, 0, -0.24], [0.32, 0.24, 0.24]] }
        [[collider]]
        sphere = { center = [0, 0, 0], radius = 0.06 }
        position = [-0.1, 0.12, 0]
        rotation_deg = [[1, [0, 0, 0]], [25, [0, 720, 0]]]
        [[collider]]
        box = [[0.05, 0.04, -0.12], [0.07, 0.2, 0.12]]
        rotation_deg = [0, 0, 20])");
    // 51 % when thin walls at rest took the ball's velocity.
    EXPECT_LT(worst_density_error(simulation, 15), 0.03);
}

/// Share of the particles that have a speed and go less than a thousandth of it in a frame.
double share_of_stuck(sim::Simulation& simulation) {
    const sim::Snapshot before = simulation.snapshot();
    std::map<std::int64_t, Vec3f> from;
    const auto ids = [](const sim::Snapshot& at) { return at.channels.find("id")->as<std::int64_t>(); };
    const auto places = [](const sim::Snapshot& at) { return at.channels.find("P")->as<Vec3f>(); };
    for (std::size_t i = 0; i < simulation.particle_count(); ++i)
        from[ids(before)[i]] = places(before)[i];
    simulation.advance_frame(SilentProgress{});
    const sim::Snapshot after = simulation.snapshot();
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < simulation.particle_count(); ++i) {
        const float speed = length(after.channels.find("v")->as<Vec3f>()[i]);
        const auto earlier = from.find(ids(after)[i]);
        if (speed < 0.3f || earlier == from.end()) continue;
        stuck += length(places(after)[i] - earlier->second) < 1e-3f * speed / 24;
    }
    return static_cast<double>(stuck) / static_cast<double>(simulation.particle_count());
}

struct Descent {
    double down, worst, stuck;
};

Descent run_down(const std::string& slope, const std::string& solver) {
    auto simulation = start(fmt::format(R"(
        solver = "{}"
        [domain]
        box = [[-0.6, -0.8, -0.1], [1.2, 0.8, 0.1]]
        [[liquid]]
        spacing = 0.02
        fill = {{ box = [[-0.45, 0.18, -0.1], [-0.15, 0.26, 0.1]] }}
        [[collider]]
        {})",
                                        solver, slope));
    const double start = mean_of(positions(simulation), 0);
    const double worst = worst_density_error(simulation, 18);
    const double stuck = share_of_stuck(simulation);
    return {mean_of(positions(simulation), 0) - start, worst, stuck};
}

TEST(GridWalls, a_film_runs_down_a_box_that_slants_as_it_does_down_a_plane) {
    for (const std::string solver : {"flip", "apic", "pbf"}) {
        const Descent plane = run_down("plane = { point = [0, 0, 0], normal = [0.34202, 0.93969, 0] }", solver);
        const Descent box = run_down("box = [[-0.7, -0.1, -0.4], [1.4, 0, 0.4]]\nrotation_deg = [0, 0, -20]", solver);
        fmt::print("{}: down {:.3f} and {:.3f} m, density error {:.3f} and {:.3f}, stuck {:.4f} and {:.4f}\n", solver,
                   plane.down, box.down, plane.worst, box.worst, plane.stuck, box.stuck);
        // Nothing holds it but what falls off in front; the two differ by how cells are cut.
        EXPECT_NEAR(box.down, plane.down, 0.05 * plane.down);
        EXPECT_LT(box.worst, 0.02);
        EXPECT_LT(box.stuck, 1e-3);
    }
}

TEST(GridWalls, water_stays_in_a_cup_that_is_dragged_away_and_stopped) {
    auto simulation = start(fmt::format(R"(
        solver = "flip"
        [[liquid]]
        spacing = 0.005
        fill = {{ cylinder = {{ base = [0, 0.01, 0], top = [0, 0.08, 0], radius = 0.036 }} }}
        [[collider]]
        mesh = "{}/examples/cup/cup.obj"
        position = [[3, [0, 0, 0]], [15, [0.85, 0, 0]]])",
                                        SPINDRIFT_SOURCE_DIR));
    // 1.7 m/s. A grid that met the cup where it would be by the end of the step had 27 %.
    const double worst = worst_density_error(simulation, 18);
    fmt::print("cup: density error {:.3f}\n", worst);
    EXPECT_LT(worst, 0.05);
    // It spills over the rim, but nothing goes through the wall: half of it stays.
    std::size_t inside = 0;
    for (const Vec3d& x : positions(simulation))
        inside += std::hypot(x.x - 0.85, x.z) < 0.05 && x.y > 0;
    EXPECT_GT(inside, simulation.particle_count() / 2);
}

}  // namespace
}  // namespace spindrift
