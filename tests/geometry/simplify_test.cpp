// Fewer triangles for the same surface.

#include "spindrift/geometry/finish/simplify.h"

#include <cmath>
#include <numbers>

#include "shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/finish/collapse_mesh.h"
#include "spindrift/geometry/finish/quadric.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

using geometry::measure;
using geometry::Mesh;
using geometry::MeshQuality;

void expect_sound(const MeshQuality& q, std::int64_t genus) {
    EXPECT_TRUE(q.watertight() && q.manifold() && q.oriented()) << describe(q);
    EXPECT_EQ(q.genus, genus);
    EXPECT_EQ(q.degenerate, 0u);
    EXPECT_EQ(q.loose_points, 0u);
    EXPECT_EQ(q.crossings, 0);
}

/// A ball of many triangles: the six sides of a box, blown up.
Mesh fine_ball(std::uint32_t n, float radius) {
    Mesh mesh = fine_box(n, {2, 2, 2});
    for (Vec3f& p : mesh.points)
        p = normalize(p - Vec3f{1, 1, 1}) * radius;
    return mesh;
}

TEST(Simplify, a_box_of_many_triangles_becomes_one_of_few) {
    Mesh box = fine_box(24, {1, 0.5, 2});
    const std::size_t before = box.triangles.size();
    simplify(box, 0.001);
    const MeshQuality q = measure(box, true);
    expect_sound(q, 0);
    EXPECT_LT(q.triangles, before / 20) << describe(q);
    EXPECT_NEAR(q.volume, 1, 1e-4);
    EXPECT_NEAR(q.area, 7, 7e-4);
    EXPECT_LT(q.largest_aspect, 15.5);
}

TEST(Simplify, a_ball_stays_round_to_what_is_allowed) {
    Mesh ball = fine_ball(40, 0.5f);
    const std::size_t before = ball.triangles.size();
    const double volume = measure(ball, false).volume, most_error = 0.002;
    simplify(ball, most_error);
    const MeshQuality q = measure(ball, true);
    expect_sound(q, 0);
    EXPECT_LT(q.triangles, before / 4) << describe(q);
    EXPECT_NEAR(q.volume / volume, 1, 0.01);
    for (const auto& [a, b, c] : ball.triangles) {
        const Vec3f middle = (ball.points[a] + ball.points[b] + ball.points[c]) / 3.f;
        EXPECT_NEAR(length(middle), 0.5, 1.5 * most_error) << "the fine ball itself is flat by 0.0004";
    }
}

TEST(Simplify, a_rough_torus_keeps_its_hole_and_stays_closed) {
    Mesh ring = torus(120, 60);
    shake(ring, 0.004f);
    const std::size_t before = ring.triangles.size();
    const double volume = measure(ring, false).volume;
    simplify(ring, 0.05);
    const MeshQuality q = measure(ring, false);
    EXPECT_TRUE(q.watertight() && q.manifold() && q.oriented()) << describe(q);
    EXPECT_EQ(q.genus, 1);
    EXPECT_LT(q.triangles, before / 8);
    EXPECT_NEAR(q.volume / volume, 1, 0.02);
}

TEST(Simplify, even_absurd_errors_leave_a_closed_mesh) {
    Mesh ball = fine_ball(12, 0.5f);
    append(ball, torus(30, 12));
    simplify(ball, 100);
    const MeshQuality q = measure(ball, false);
    EXPECT_TRUE(q.watertight() && q.manifold() && q.oriented()) << describe(q);
    EXPECT_EQ(q.pieces, 2u);
    EXPECT_EQ(q.genus, 1);
}

TEST(Simplify, points_on_walls_stay_on_them_and_fixed_ones_stay) {
    Mesh box = fine_box(16, {1, 1, 1});
    std::vector<std::uint8_t> kind(box.points.size());
    std::vector<Vec3f> normals(box.points.size(), Vec3f{0, 1, 0});
    std::vector<Vec3f> fixed;
    for (std::size_t i = 0; i < kind.size(); ++i) {
        Vec3f& p = box.points[i];
        if (p.y == 0) kind[i] = 1;
        // A wave, so that the quadrics would rather have the bottom elsewhere.
        if (p.y > 0) p.y += 0.01f * std::sin(9 * p.x) * std::cos(7 * p.z);
        if (p.x == 1 && p.y > 0.3f) {
            kind[i] = HeldPoints::fixed;
            fixed.push_back(p);
        }
    }
    const std::size_t before = box.triangles.size();
    const std::vector<std::uint32_t> left = simplify(box, 0.02, {.kind = kind, .wall_normals = normals});
    expect_sound(measure(box, true), 0);
    EXPECT_LT(box.triangles.size(), before / 2);
    EXPECT_EQ(left.size(), box.triangles.size());
    for (const Vec3f p : fixed)
        EXPECT_NE(std::ranges::find(box.points, p), box.points.end());
    double floor = 0;
    for (const auto& [a, b, c] : box.triangles) {
        const Vec3f p = box.points[a], q = box.points[b], r = box.points[c];
        if (p.y == 0 && q.y == 0 && r.y == 0) floor += 0.5 * static_cast<double>(length(cross(q - p, r - p)));
    }
    // The edge of the floor may move by what is allowed.
    EXPECT_NEAR(floor, 1, 0.05);
}

TEST(Simplify, borders_stay_and_attributes_follow_their_points) {
    Mesh sheet = grid(30, 30, false, false, [](double u, double v) { return Vec3d{u, 0, v}; });
    geometry::Attribute uv{"uv", 2, {}};
    for (const Vec3f p : sheet.points)
        uv.values.insert(uv.values.end(), {3 * p.x, -p.z});
    sheet.attributes.push_back(uv);
    simplify(sheet, 0.001);
    EXPECT_LT(sheet.triangles.size(), 600u);
    const MeshQuality q = measure(sheet, true);
    EXPECT_EQ(q.open_edges, 120u);
    EXPECT_NEAR(q.area, 1, 1e-5);
    ASSERT_EQ(sheet.attributes[0].values.size(), 2 * sheet.points.size());
    for (std::size_t i = 0; i < sheet.points.size(); ++i) {
        EXPECT_NEAR(sheet.attributes[0].values[2 * i], 3 * sheet.points[i].x, 1e-5);
        EXPECT_NEAR(sheet.attributes[0].values[2 * i + 1], -sheet.points[i].z, 1e-5);
    }
}

TEST(Simplify, is_the_same_for_any_number_of_threads_and_does_nothing_for_nothing) {
    Mesh all = torus(100, 50);
    shake(all, 0.002f);
    Mesh one = all, none = all;
    simplify(all, 0.01);
    EXPECT_EQ(simplify(none, 0).size(), none.triangles.size());
    const ThreadLimit limit(1);
    simplify(one, 0.01);
    EXPECT_EQ(all.points, one.points);
    EXPECT_EQ(all.triangles, one.triangles);
    EXPECT_GT(none.triangles.size(), one.triangles.size());
    Mesh empty;
    EXPECT_TRUE(simplify(empty, 1).empty());
}

TEST(Quadric, is_smallest_where_planes_meet_and_near_the_wish_where_they_do_not) {
    Quadric q = plane_quadric({1, 0, 0}, -2, 1);
    EXPECT_DOUBLE_EQ(q.at({5, 7, 9}), 9);
    q += plane_quadric({0, 1, 0}, -3, 2);
    const Vec3d line = q.smallest_near({1, 1, 1});
    // The little that makes it solvable holds back by millionths.
    EXPECT_NEAR(length(line - Vec3d{2, 3, 1}), 0, 1e-5);
    q += plane_quadric({0, 0, 1}, -4, 0.5);
    EXPECT_NEAR(length(q.smallest_near({0, 0, 0}) - Vec3d{2, 3, 4}), 0, 1e-4);
}

TEST(CollapseMesh, a_tetrahedron_is_the_end) {
    const std::vector<geometry::Triangle> triangles{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    CollapseMesh joined(triangles, 4);
    EXPECT_FALSE(joined.may_merge(0, 1));
}

}  // namespace
}  // namespace spindrift::geometry
