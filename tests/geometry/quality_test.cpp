// What is measured of meshes.

#include <numbers>

#include "shapes.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/geometry/mesh_quality.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

constexpr double pi = std::numbers::pi;

TEST(MeshQuality, a_torus_has_one_handle_and_its_volume) {
    const MeshQuality q = measure(torus(128, 64), true);
    EXPECT_TRUE(q.watertight() && q.manifold() && q.oriented());
    EXPECT_EQ(q.genus, 1);
    EXPECT_EQ(q.pieces, 1u);
    EXPECT_EQ(q.crossings, 0);
    // Chords of 128 and 64 parts of a circle take away 0.2 % of areas and volumes.
    EXPECT_NEAR(q.volume / (2 * pi * pi * 0.4 * 0.4), 1, 0.005);
    EXPECT_NEAR(q.area / (4 * pi * pi * 0.4), 1, 0.005);
}

TEST(MeshQuality, two_balls_are_two_pieces_wherever_they_are) {
    Mesh mesh = make_sphere({100, 200, -50}, 0.5);
    append(mesh, make_sphere({102, 200, -50}, 0.25));
    const MeshQuality q = measure(mesh, false);
    EXPECT_EQ(q.pieces, 2u);
    EXPECT_EQ(q.genus, 0);
    EXPECT_EQ(q.crossings, -1);
    // Coordinates of 200 m are rounded to 8 micrometres.
    EXPECT_NEAR(q.volume / (4 * pi / 3 * (0.125 + 0.015625)), 1, 0.004);
    EXPECT_EQ(describe(q).find("watertight, manifold, 2 pieces, genus 0, 5124 points, 10240 triangles, 0.587"), 0u)
        << describe(q);
}

TEST(MeshQuality, a_hollow_counts_against_the_volume) {
    Mesh mesh = make_box({{0, 0, 0}, {2, 2, 2}});
    Mesh hollow = make_box({{0.5, 0.5, 0.5}, {1.5, 1.5, 1.5}});
    for (Triangle& t : hollow.triangles)
        std::swap(t[0], t[1]);
    append(mesh, hollow);
    EXPECT_NEAR(measure(mesh, false).volume, 7, 1e-12);
    EXPECT_NEAR(measure(mesh, false).longest, std::sqrt(8), 1e-12);
    EXPECT_NEAR(measure(mesh, false).shortest, 1, 1e-12);
}

TEST(MeshQuality, a_point_where_two_cones_touch_is_found) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 5}, {0, 6, 4}, {0, 5, 6}, {4, 6, 5}};
    const MeshQuality q = measure(mesh, false);
    EXPECT_TRUE(q.watertight() && q.oriented());
    EXPECT_FALSE(q.manifold());
    EXPECT_EQ(q.non_manifold_points, 1u);
    EXPECT_EQ(q.pieces, 1u);
    EXPECT_EQ(q.genus, -1);
}

TEST(MeshQuality, open_flipped_and_crowded_edges_are_counted) {
    Mesh mesh = fine_box(4, {1, 1, 1});
    const std::size_t edges = mesh.triangles.size() * 3 / 2;
    EXPECT_NEAR(measure(mesh, false).mean, 0.25 * (2 + std::sqrt(2.0)) / 3, 1e-6) << edges;
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    EXPECT_EQ(measure(mesh, false).flipped_edges, 3u);
    mesh.triangles.erase(mesh.triangles.begin() + 5);
    MeshQuality q = measure(mesh, false);
    EXPECT_EQ(q.open_edges, 3u);
    EXPECT_FALSE(q.watertight());
    EXPECT_TRUE(q.manifold() && q.oriented());
    mesh.points.push_back({2, 2, 2});
    mesh.points.push_back({3, 3, 3});
    mesh.triangles.push_back({mesh.triangles[9][0], mesh.triangles[9][1], static_cast<std::uint32_t>(98)});
    q = measure(mesh, false);
    EXPECT_EQ(q.non_manifold_edges, 1u);
    EXPECT_EQ(q.loose_points, 1u);
    EXPECT_NE(describe(q).find("not watertight, 5 open edges, 1 non-manifold edge, "), std::string::npos)
        << describe(q);
}

TEST(MeshQuality, triangles_without_area_and_slivers_are_counted) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0.01f, 0}, {0.5f, 0.8660254f, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 1, 1}, {0, 1, 4}};
    const MeshQuality q = measure(mesh, false);
    EXPECT_EQ(q.degenerate, 2u);
    EXPECT_EQ(q.slivers, 1u);
    EXPECT_NEAR(q.largest_aspect, 2 / 0.01 * std::sqrt(3.0) / 2, 1e-3);
    EXPECT_NEAR(aspect(1, std::sqrt(3.0) / 4), 1, 1e-12);
}

TEST(MeshQuality, nothing_measures_nothing) {
    const MeshQuality q = measure(Mesh{}, true);
    EXPECT_EQ(q.pieces, 0u);
    EXPECT_EQ(q.genus, 0);
    EXPECT_EQ(q.volume, 0);
    EXPECT_EQ(q.crossings, 0);
    EXPECT_EQ(describe(q), "watertight, manifold, 0 crossings, 0 pieces, genus 0, 0 points, 0 triangles, 0 m^3, 0 m^2");
}

TEST(MeshQuality, is_the_same_for_any_number_of_threads) {
    Mesh mesh = torus(200, 90);
    shake(mesh, 0.003f);
    const MeshQuality all = measure(mesh, false);
    const ThreadLimit limit(1);
    const MeshQuality one = measure(mesh, false);
    EXPECT_EQ(all.volume, one.volume);
    EXPECT_EQ(all.area, one.area);
    EXPECT_EQ(all.mean, one.mean);
    EXPECT_EQ(describe(all), describe(one));
}

}  // namespace
}  // namespace spindrift::geometry
