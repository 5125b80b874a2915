// Constraints of elastic materials: their derivatives, and liquid particles held together by them.
#include "constraint_fixture.h"
#include <gtest/gtest.h>

#include "spindrift/constraints/bend.h"
#include "spindrift/constraints/constraint_list.h"
#include "spindrift/constraints/stretch.h"
#include "spindrift/constraints/tetrahedron.h"
#include "spindrift/constraints/volume.h"

namespace spindrift::pbf {
namespace {

const std::vector<Vec3d> square{{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0.1}, {0.1, 0, 0.1}};

std::vector<Vec3d> cube() {
    std::vector<Vec3d> points;
    for (int v = 0; v < 8; ++v)
        points.push_back(
            Vec3d{static_cast<double>(v & 1), static_cast<double>(v >> 1 & 1), static_cast<double>(v >> 2)} * 0.1);
    return points;
}

/// One step of points that begin where they are, held together by one constraint.
void hold_together(std::vector<Vec3d>& points, constraints::Constraint& constraint, int steps = 1) {
    constraints::ConstraintList list;
    std::vector<Vec3d> velocities(points.size());
    const std::vector<constraints::Symmetric3> mobility(points.size(), constraints::diagonal(10));
    for (int k = 0; k < steps; ++k) {
        const std::vector<Vec3d> starts = points;
        list.begin_step(constraints::ConstraintList::PointStep{points, velocities, starts, mobility, 1e-3});
        constraint.begin_step(list.context());
        list.project(constraint);
    }
}

Vec3d mean(const std::vector<Vec3d>& points) {
    Vec3d sum{};
    for (const Vec3d p : points)
        sum += p;
    return sum / static_cast<double>(points.size());
}

TEST(BendConstraint, its_gradient_is_that_of_the_angle) {
    std::array<Vec3d, 4> x{Vec3d{0, 0, 0}, {1, 0.1, 0.2}, {0.3, 1, 0.1}, {0.6, -0.8, 0.5}};
    const std::array<Vec3d, 4> gradient = constraints::hinge_gradient(x);
    for (std::size_t v = 0; v < 4; ++v) {
        for (int a = 0; a < 3; ++a) {
            std::array<Vec3d, 4> up = x, down = x;
            up[v][a] += 1e-5;
            down[v][a] -= 1e-5;
            EXPECT_NEAR(gradient[v][a], (constraints::hinge_angle(up) - constraints::hinge_angle(down)) / 2e-5, 1e-8);
        }
    }
}

TEST(ElasticConstraints, leave_alone_what_is_at_rest_however_it_is_turned_and_moved) {
    const std::vector<Vec3d> rest = cube();
    const std::vector<constraints::Hinge> hinges{{{1, 2, 0, 3}}};
    const std::vector<std::array<std::int64_t, 3>> triangles{{0, 1, 2}, {1, 3, 2}};
    const std::vector<constraints::Tetrahedron> tetrahedra{{{0, 1, 2, 4}}, {{7, 6, 5, 3}}};
    const std::vector<constraints::Cell> cells{{{0, 1, 2, 3, 4, 5, 6, 7}}};
    constraints::BendConstraint bend(hinges, rest, 0.1);
    constraints::StretchConstraint stretch(triangles, rest, 1000);
    constraints::TetrahedronConstraint tetrahedron(tetrahedra, rest, 1e4);
    constraints::VolumeConstraint volume(cells, rest, 1e5);
    const geometry::Pose pose = geometry::make_pose({1, 2, 3}, {20, 130, -70});
    for (constraints::Constraint* constraint :
         {static_cast<constraints::Constraint*>(&bend), static_cast<constraints::Constraint*>(&stretch),
          static_cast<constraints::Constraint*>(&tetrahedron), static_cast<constraints::Constraint*>(&volume)}) {
        std::vector<Vec3d> points;
        for (const Vec3d p : rest)
            points.push_back(pose.to_world(p));
        const std::vector<Vec3d> before = points;
        hold_together(points, *constraint);
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_NEAR(length(points[i] - before[i]), 0, 1e-13);
    }
}

TEST(ElasticConstraints, bring_back_what_was_deformed_and_keep_its_centre) {
    const std::vector<Vec3d> rest = cube();
    const std::vector<constraints::Cell> cells{{{0, 1, 2, 3, 4, 5, 6, 7}}};
    constraints::VolumeConstraint volume(cells, rest, 1e5);
    std::vector<Vec3d> points = rest;
    for (Vec3d& p : points)
        p = p * 1.1;
    const Vec3d center = mean(points);
    hold_together(points, volume, 200);
    // Corners have different shares of the faces' diagonals, so that the cube does not stay a cube.
    EXPECT_NEAR(length(points[7] - points[0]), 0.1 * std::sqrt(3.0), 0.004);
    const std::vector<Vec3d> settled = points;
    hold_together(points, volume);
    EXPECT_NEAR(length(points[7] - settled[7]), 0, 1e-9);
    EXPECT_NEAR(length(mean(points) - center), 0, 1e-14);
}

TEST(TetrahedronConstraint, recovers_when_it_is_turned_inside_out) {
    const std::vector<Vec3d> rest{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    const std::vector<constraints::Tetrahedron> one{{{0, 1, 2, 3}}};
    constraints::TetrahedronConstraint tetrahedron(one, rest, 1e4);
    std::vector<Vec3d> points = rest;
    points[3].z = -0.05;
    hold_together(points, tetrahedron, 2000);
    const double six = dot(points[1] - points[0], cross(points[2] - points[0], points[3] - points[0]));
    // Points without inertia come to rest slowly.
    EXPECT_NEAR(six, 1e-3, 5e-5);
}

TEST(StretchConstraint, holds_particles_of_liquid_together_too) {
    ParticleStore particles;
    for (const Vec3d p : square)
        add_particle(particles, p + Vec3d{0.2, 0.5, 0.2});
    const std::vector<std::array<std::int64_t, 3>> triangles{{0, 1, 2}, {1, 3, 2}};
    Solver solver({}, {water});
    solver.add_constraint(std::make_shared<constraints::StretchConstraint>(triangles, square, 1e5), 1);
    solver.add_constraint(pin(0, position_of(particles, 0)), 2);
    for (int k = 0; k < 40; ++k)
        solver.step(particles, gravity(), {}, dt);
    EXPECT_LT(position_of(particles, 3).y, 0.49);
    EXPECT_NEAR(length(position_of(particles, 1) - position_of(particles, 0)), 0.1, 0.005);
}

TEST(ElasticConstraints, refuse_what_makes_no_sense) {
    const std::vector<constraints::Hinge> hinges{{{0, 1, 2, 7}}};
    EXPECT_THROW(constraints::BendConstraint(hinges, square, 1), UsageError);
    EXPECT_THROW(constraints::BendConstraint({}, square, 0), UsageError);
    EXPECT_THROW(constraints::StretchConstraint({}, square, -1), UsageError);
    EXPECT_THROW(constraints::VolumeConstraint({}, square, 0), UsageError);
    const std::vector<constraints::Tetrahedron> flat{{{0, 1, 2, 3}}};
    EXPECT_THROW(constraints::TetrahedronConstraint(flat, square, 1), UsageError);
}

}  // namespace
}  // namespace spindrift::pbf
