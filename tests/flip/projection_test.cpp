// What one projection leaves: no divergence, and no motion where water rests.

#include <cmath>
#include <numbers>

#include "liquid_fixture.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace spindrift::flip {
namespace {

/// Largest sum of flows out of a cell that holds liquid on all sides, per face: away from walls and the surface, where
/// pressure alone decides.
double largest_divergence(const Solver& solver) {
    const MacGrid& grid = solver.grid();
    double largest = 0;
    for (std::size_t l = 1; l < grid.leaves.size(); ++l) {
        for (int n = 0; n < grid::leaf_cells; ++n) {
            if (grid.phi.leaf(l)[n] >= 0) continue;
            const Vec3i c{n & 7, n >> 3 & 7, n >> 6};
            double flow = 0;
            bool open = true;
            for (int axis = 0; axis < 3; ++axis) {
                Vec3i next = c;
                next[axis] += 1;
                for (const Vec3i& at : {c, next})
                    open = open && grid.open[axis].near(grid.leaves, l, at) == 1;
                flow += static_cast<double>(grid.velocity[axis].near(grid.leaves, l, next) -
                                            grid.velocity[axis].near(grid.leaves, l, c));
            }
            if (open) largest = std::max(largest, std::abs(flow));
        }
    }
    return largest;
}

/// Velocities that have any divergence they like, of 1 m/s and wavelengths down to four cells.
Vec3d wild(Vec3d x) {
    const double k = 2 * std::numbers::pi / (4 * cell);
    return {std::sin(0.3 * k * x.x + 1) * std::cos(0.7 * k * x.y), std::cos(0.5 * k * x.y) * std::sin(k * x.z),
            std::sin(0.4 * k * x.z) * std::cos(0.9 * k * x.x + 2)};
}

TEST(Projection, leaves_no_more_divergence_than_the_tolerance_says) {
    // On a lattice no cell has too many particles, so nothing is asked to spread.
    constexpr double dt = 0.01;
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
        ParticleStore particles;
        add_liquid(particles, {{0, 0, 0}, {12 * cell, 9 * cell, 10 * cell}});
        set_velocity(particles, wild);
        Solver solver(fluid::Method::pic, {.tolerance = tolerance}, {water});
        const fluid::StepReport report =
            solver.step(particles, gravity(), box_walls({{0, 0, 0}, {12 * cell, 20 * cell, 10 * cell}}), dt);
        const double divergence = largest_divergence(solver);
        fmt::print("tolerance {:.0e}: divergence {:.1e} after {} iterations\n", tolerance, divergence,
                   report.iterations);
        EXPECT_FALSE(report.flags.has(fluid::StepFlag::not_converged));
        // The tolerance is of the norm over all cells, at the start of which velocities of 1 m/s differ by as much; a
        // single cell may have more. 3e-7 of it is where floats end.
        EXPECT_LT(divergence, 3 * tolerance + 3e-6);
    }
}

/// Largest velocity, relative to g dt, of water at rest after one step among walls; of particles that count.
double unrest(
    ParticleStore& particles, const collision::Walls& walls, Vec3d acceleration,
    const std::function<bool(Vec3d)>& counts = [](Vec3d) { return true; }) {
    // Long, so that what evens out particles, which does not grow with it, is little beside gravity.
    constexpr double dt = 1;
    Solver solver(fluid::Method::pic, {.tolerance = 1e-6, .reseed = false}, {water});
    solver.observe(particles, walls);
    // Sorted once, they keep their order.
    std::vector<bool> kept;
    for (const Float4& x : particles.position())
        kept.push_back(counts(vec_cast<double>(x.xyz())));
    solver.step(particles, gravity(vec_cast<float>(acceleration)), walls, dt);
    double most = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (kept[i]) most = std::max(most, static_cast<double>(length(particles.velocity()[i].xyz())));
    }
    return most / (length(acceleration) * dt);
}

/// Good solvers have 1 % of g dt, the best 1e-4.
constexpr double good_rest = 0.01;
/// Where walls that are no borders of cells meet the surface, whose place is known to some hundredths of a cell:
/// measured are 1.6 % three cells below that of a slanted box.
constexpr double rest_near_surface = 0.02;

/// Moves a lattice of particles apart, on two axes, so that it reaches from wall to wall: it would flow there.
void fit(ParticleStore& particles, const Box3d& box) {
    const double spacing = water.spacing;
    for (const int axis : {0, 2}) {
        double last = 0;
        for (const Float4& x : particles.position())
            last = std::max(last, static_cast<double>(x.xyz()[axis]));
        const double scale = (box.hi[axis] - box.lo[axis]) / (last + 0.5 * spacing - box.lo[axis]);
        for (Float4& x : particles.position()) {
            const auto fitted =
                static_cast<float>(box.lo[axis] + scale * (static_cast<double>(x.xyz()[axis]) - box.lo[axis]));
            (axis == 0 ? x.x : x.z) = fitted;
        }
    }
}

/// How deep below the surface the pressure of a cell says that it is, in cells, for a level above the floor.
double depth_felt(double floor, double level, int row) {
    // So long that what evens particles out is little beside gravity.
    constexpr double dt = 0.1;
    ParticleStore particles;
    add_liquid(particles, {{0, floor * cell, 0}, {10 * cell, level * cell, 10 * cell}});
    Solver solver(fluid::Method::flip, {.tolerance = 1e-6}, {water});
    solver.step(particles, gravity(), box_walls({{0, floor * cell, 0}, {10 * cell, 20 * cell, 10 * cell}}), dt);
    const MacGrid& grid = solver.grid();
    return static_cast<double>(
               grid.pressure.near(grid.leaves, static_cast<std::size_t>(grid.leaves.find({})), {5, row, 5})) /
           (g * dt);
}

TEST(Projection, pressure_knows_where_the_level_stands_among_the_cells) {
    // Layers of particles half a cell apart tell how full a cell is to a hundredth, and least of all, to 0.054, where
    // the surface is three quarters of a cell from both middles. Judged by the fuller cell alone it was up to 0.25.
    for (int k = 0; k < 20; ++k) {
        const double floor = 0.05 * k, level = floor + 6;
        EXPECT_NEAR(depth_felt(floor, level, 3), level - 3.5, 0.06) << "level " << level;
    }
}

TEST(Projection, water_rests_in_boxes_of_any_width) {
    for (const double extra : {0.0, 0.3, 0.5, 0.77}) {
        // Eight cells and a bit.
        const double width = (8 + extra) * cell;
        const Box3d box{{0.13 * cell, 0.13 * cell, 0.13 * cell}, {width, 6.13 * cell, width}};
        ParticleStore particles;
        add_liquid(particles, box);
        fit(particles, box);
        const double speed = unrest(particles, box_walls({box.lo, {width, 12 * cell, width}}), {0, -g, 0},
                                    [&](Vec3d p) { return p.y < box.hi.y - 3 * cell; });
        fmt::print("width {}: {:.2e}\n", width / cell, speed);
        EXPECT_LT(speed, rest_near_surface);
    }
}

/// A half-space through a point.
collision::WallPlane plane(Vec3d point, Vec3d normal) {
    const Vec3d n = normal / length(normal);
    return {{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)},
            static_cast<float>(dot(n, point) / cell),
            {}};
}

/// A box that is turned about two axes, with a lattice of particles that is turned along, up to a height.
struct TurnedBox {
    Vec3d x, y, z;
    double half = 5 * cell;
    collision::Walls walls{};
    ParticleStore particles{};

    TurnedBox(double angle, double tilt, bool closed) {
        x = {std::cos(angle), std::sin(angle), 0};
        y = {-std::sin(angle) * std::cos(tilt), std::cos(angle) * std::cos(tilt), std::sin(tilt)};
        z = cross(x, y);
        for (const Vec3d& n : {x, z, y}) {
            walls.planes.push_back(plane(n * -half, n));
            walls.planes.push_back(plane(n * half, -n));
        }
        if (!closed) walls.planes.pop_back();
        add_liquid(particles, {{-half, -half, -half}, {half, half, half}});
        for (Float4& p : particles.position()) {
            const Vec3d at = vec_cast<double>(p.xyz());
            const Vec3f turned = vec_cast<float>(x * at.x + y * at.y + z * at.z);
            p = {turned.x, turned.y, turned.z, 0};
        }
    }
};

TEST(Projection, water_rests_in_a_rotated_box) {
    for (const double angle : {0.0, 0.2, 0.45, 0.7}) {
        for (const double tilt : {0.0, 0.3}) {
            TurnedBox full(angle, tilt, true), half(angle, tilt, false);
            const double closed = unrest(full.particles, full.walls, full.y * -g);
            const double open = unrest(half.particles, half.walls, half.y * -g,
                                       [&](Vec3d p) { return dot(p, half.y) < half.half - 3 * cell; });
            fmt::print("angle {} tilt {}: closed {:.2e} open {:.2e}\n", angle, tilt, closed, open);
            EXPECT_LT(closed, good_rest);
            EXPECT_LT(open, rest_near_surface);
        }
    }
}

TEST(Projection, water_that_fills_a_closed_box_rests_whatever_gravity_is) {
    // Pressure is known up to a constant alone: nothing at the surface fixes it, for there is none.
    const Box3d box{{0, 0, 0}, {8 * cell, 5 * cell, 6 * cell}};
    for (const Vec3f direction : {Vec3f{0, -9.81f, 0}, Vec3f{5, 3, -8}, Vec3f{0, 1000, 0}}) {
        ParticleStore particles;
        add_liquid(particles, box);
        Solver solver(fluid::Method::flip, {}, {water});
        for (int step = 0; step < 20; ++step) {
            const fluid::StepReport report = solver.step(particles, gravity(direction), box_walls(box), 0.01);
            EXPECT_FALSE(report.flags.has(fluid::StepFlag::not_converged));
            EXPECT_LT(report.iterations, 30);
        }
        fmt::print("closed: {:.2e} of g dt\n", fastest(particles) / (0.01 * static_cast<double>(length(direction))));
        EXPECT_LT(fastest(particles), good_rest * 0.01 * static_cast<double>(length(direction)));
    }
}

}  // namespace
}  // namespace spindrift::flip
