// Smoothing and normals.

#include "spindrift/geometry/finish/smooth.h"

#include <cmath>

#include "shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/finish/normals.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

using geometry::make_sphere;
using geometry::measure;
using geometry::Mesh;

/// Root mean square of how far points are from a sphere of their mean radius.
double roughness(const Mesh& mesh) {
    double sum = 0, squares = 0;
    for (const Vec3f p : mesh.points) {
        const double r = length(vec_cast<double>(p));
        sum += r;
        squares += r * r;
    }
    const auto n = static_cast<double>(mesh.points.size());
    return std::sqrt(squares / n - sum / n * sum / n);
}

TEST(Smooth, a_noisy_ball_gets_smooth_and_keeps_its_volume) {
    Mesh ball = make_sphere({0, 0, 0}, 0.5);
    shake(ball, 0.004f);
    const double volume = measure(ball, false).volume, before = roughness(ball);
    const std::vector<geometry::Triangle> triangles = ball.triangles;
    smooth(ball, {.passes = 8});
    // A pass leaves three quarters of the finest waves and nearly all of those some triangles long.
    EXPECT_LT(roughness(ball), before / 2);
    EXPECT_NEAR(measure(ball, false).volume / volume, 1, 1e-4);
    EXPECT_EQ(ball.triangles, triangles);
}

TEST(Smooth, every_drop_keeps_its_own_volume) {
    Mesh mesh = torus(40, 20);
    append(mesh, make_sphere({30, 0, 0}, 0.5));
    // An octahedron of a centimetre, where smoothing moves each point by much.
    Mesh drop;
    drop.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    drop.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (Vec3f& p : drop.points)
        p = p * 0.01f + Vec3f{-2, 0, 0};
    const std::size_t first = mesh.points.size();
    append(mesh, drop);
    const auto drop_volume = [&] {
        Mesh part = drop;
        std::copy_n(mesh.points.begin() + static_cast<std::ptrdiff_t>(first), 6, part.points.begin());
        return measure(part, false).volume;
    };
    const double all = measure(mesh, false).volume, one = drop_volume();
    smooth(mesh, {.passes = 4});
    EXPECT_NEAR(measure(mesh, false).volume / all, 1, 1e-4);
    // Coordinates of 2 m are rounded to 0.2 micrometres, 2e-5 of the drop's radius.
    EXPECT_NEAR(drop_volume() / one, 1, 1e-4);
}

TEST(Smooth, points_on_walls_slide_and_fixed_ones_stay) {
    Mesh box = fine_box(12, {1, 1, 1});
    std::vector<std::uint8_t> kind(box.points.size());
    const Vec3f slope = normalize(Vec3f{1, 2, 0.5f});
    std::vector<Vec3f> normals(box.points.size(), slope);
    const Mesh flat = box;
    shake(box, 0.02f);
    for (std::size_t i = 0; i < kind.size(); ++i) {
        const Vec3f p = flat.points[i];
        if (p.y == 0) kind[i] = HeldPoints::fixed;
        if (p.y == 1) kind[i] = 3;
    }
    const Mesh before = box;
    smooth(box, {.passes = 6, .held = {.kind = kind, .wall_normals = normals}});
    std::size_t moved = 0;
    for (std::size_t i = 0; i < kind.size(); ++i) {
        const Vec3f step = box.points[i] - before.points[i];
        moved += length(step) > 1e-3f;
        EXPECT_TRUE(kind[i] != HeldPoints::fixed || step == Vec3f{});
        // Twelve steps, each rounded to 1e-7.
        EXPECT_TRUE(kind[i] != 3 || std::abs(dot(step, slope)) < 2e-6f);
    }
    EXPECT_GT(moved, box.points.size() / 2);
    EXPECT_NEAR(measure(box, false).volume / measure(before, false).volume, 1, 1e-4);
}

/// Pages of a book: all share the points of the spine, which come first.
Mesh book(int pages, std::uint32_t n) {
    Mesh mesh;
    for (std::uint32_t i = 0; i <= n; ++i)
        mesh.points.push_back({0, static_cast<float>(i) / 16, 0});
    for (int page = 0; page < pages; ++page) {
        const auto offset = static_cast<std::uint32_t>(mesh.points.size()) - (n + 1);
        Mesh sheet = grid(4, n, false, false, [&](double u, double v) {
            return Vec3d{u * std::cos(2.0 * page), v * n / 16, u * std::sin(2.0 * page)};
        });
        for (auto& t : sheet.triangles) {
            for (std::uint32_t& i : t)
                i = i <= n ? i : i + offset;
        }
        mesh.points.insert(mesh.points.end(), sheet.points.begin() + n + 1, sheet.points.end());
        mesh.triangles.insert(mesh.triangles.end(), sheet.triangles.begin(), sheet.triangles.end());
    }
    return mesh;
}

TEST(Smooth, lines_where_three_liquids_meet_are_smoothed_along_themselves) {
    Mesh mesh = book(3, 16);
    Mesh shaken = mesh;
    shake(shaken, 0.02f);
    // Only the pages are rough: the spine does not feel it, the pages do.
    std::copy_n(mesh.points.begin(), 17, shaken.points.begin());
    Mesh result = shaken;
    smooth(result, {.passes = 4});
    for (std::size_t i = 0; i < 17; ++i)
        EXPECT_EQ(result.points[i], mesh.points[i]) << i;
    EXPECT_NE(result.points[40], shaken.points[40]);

    // A rough spine gets smooth; where it ends it stays.
    for (std::size_t i = 0; i < 17; ++i)
        shaken.points[i].x = i % 2 ? 0.01f : -0.01f;
    result = shaken;
    smooth(result, {.passes = 4});
    EXPECT_EQ(result.points[0], shaken.points[0]);
    EXPECT_EQ(result.points[16], shaken.points[16]);
    for (std::size_t i = 5; i < 12; ++i)
        EXPECT_LT(std::abs(result.points[i].x), 0.002f) << i;
}

TEST(Smooth, is_the_same_for_any_number_of_threads) {
    Mesh all = torus(200, 90);
    shake(all, 0.005f);
    Mesh one = all;
    smooth(all, {});
    const ThreadLimit limit(1);
    smooth(one, {});
    EXPECT_EQ(all.points, one.points);
}

TEST(Normals, of_a_ball_point_outward_and_those_of_a_box_do_not_see_its_diagonals) {
    Mesh ball = make_sphere({0, 0, 0}, 0.5);
    add_normals(ball);
    add_normals(ball);
    ASSERT_EQ(ball.attributes.size(), 1u);
    for (std::size_t i = 0; i < ball.points.size(); ++i) {
        const float* n = &ball.attributes[0].values[3 * i];
        // Triangles are two degrees wide; their mean is far better.
        EXPECT_NEAR(length(Vec3f{n[0], n[1], n[2]} - ball.points[i] * 2.f), 0, 0.005f);
    }
    Mesh box = fine_box(3, {1, 1, 1});
    add_normals(box);
    for (std::size_t i = 0; i < box.points.size(); ++i) {
        if (box.points[i] != Vec3f{1, 1, 1}) continue;
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(box.attributes[0].values[3 * i + k], std::sqrt(1 / 3.f), 1e-4);
    }
}

TEST(Normals, points_that_nothing_is_known_of_look_up) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
    mesh.triangles = {{0, 1, 2}};
    add_normals(mesh);
    EXPECT_EQ(mesh.attributes[0].values, (std::vector<float>{0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace spindrift::geometry
