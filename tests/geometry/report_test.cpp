// Each defect counted on a mesh made for it.

#include <limits>

#include "mesh_files.h"

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"
#include "spindrift/geometry/crossings.h"
#include "spindrift/geometry/mesh_report.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::geometry {
namespace {

/// A tetrahedron, closed, with texture coordinates that tell its triangles apart.
Mesh tetrahedron() {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (std::size_t i = 0; i < 4; ++i)
        mesh.uv.push_back({Uv{static_cast<float>(i), 0}, Uv{}, Uv{}});
    return mesh;
}

void add(Mesh& mesh, const Mesh& other) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& [a, b, c] : other.triangles)
        mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
}

TEST(MeshReport, a_closed_mesh_is_clean_and_stays_as_it_is) {
    Mesh mesh = tetrahedron();
    const MeshReport report = clean(mesh);
    EXPECT_EQ(describe_defects(report), "clean");
    EXPECT_TRUE(report.is_closed());
    EXPECT_EQ(report.points, 4u);
    EXPECT_EQ(report.triangles, 4u);
    EXPECT_EQ(report.pieces, 1u);
    EXPECT_EQ(report.crossings, 0);
    EXPECT_EQ(mesh.triangles, tetrahedron().triangles);
}

TEST(MeshReport, triangles_with_bad_corners_go_with_their_texture) {
    Mesh mesh = tetrahedron();
    mesh.triangles[1][2] = 4;
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.bad_index, 1u);
    ASSERT_EQ(mesh.triangles.size(), 3u);
    ASSERT_EQ(mesh.uv.size(), 3u);
    EXPECT_EQ(mesh.uv[1][0][0], 2);
    EXPECT_EQ(describe_defects(report), "1 triangle with a bad index, open (3 edges)");
}

TEST(MeshReport, points_that_are_no_numbers_take_their_triangles_with_them_and_leave_the_bounds_alone) {
    Mesh mesh = tetrahedron();
    mesh.points[3].y = std::numeric_limits<float>::quiet_NaN();
    mesh.points.push_back({std::numeric_limits<float>::infinity(), 0, 0});
    mesh.uv[0][1] = {std::numeric_limits<float>::quiet_NaN(), 1};
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.not_finite_points, 2u);
    EXPECT_EQ(report.not_finite, 3u);
    EXPECT_EQ(mesh.triangles.size(), 1u);
    EXPECT_EQ(mesh.points.size(), 5u) << "numbers of points stay";
    EXPECT_EQ(bounds(mesh), (Box3d{{0, 0, 0}, {1, 1, 0}}));
    EXPECT_EQ(mesh.uv[0][1], (Uv{0, 0}));
}

TEST(MeshReport, triangles_without_area_go) {
    Mesh mesh = tetrahedron();
    mesh.points.push_back({0.3f, 0, 0});
    mesh.points.push_back({0, 0, 0});
    mesh.triangles.push_back({0, 1, 1});
    mesh.triangles.push_back({0, 4, 1});
    mesh.triangles.push_back({0, 5, 2});
    mesh.uv.resize(7);
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.degenerate, 3u);
    EXPECT_EQ(report.dropped(), 3u);
    EXPECT_TRUE(report.is_closed());
}

TEST(MeshReport, long_thin_triangles_stay) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0.5f, 1e-5f, 0}};
    mesh.triangles = {{0, 1, 2}};
    EXPECT_EQ(clean(mesh).degenerate, 0u);
}

TEST(MeshReport, doubled_triangles_go_in_whatever_order_their_points_are) {
    Mesh mesh = tetrahedron();
    mesh.points.push_back(mesh.points[1]);
    mesh.triangles.push_back({1, 0, 2});
    mesh.triangles.push_back({3, 4, 0});
    mesh.uv.clear();
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.duplicate, 2u);
    EXPECT_EQ(mesh.triangles, tetrahedron().triangles);
    EXPECT_EQ(describe_defects(report), "2 doubled triangles");
}

TEST(MeshReport, open_and_non_manifold_edges_are_counted) {
    Mesh mesh = tetrahedron();
    mesh.uv.clear();
    mesh.triangles.pop_back();
    EXPECT_EQ(clean(mesh).open_edges, 3u);

    mesh = tetrahedron();
    mesh.uv.clear();
    mesh.points.push_back({-1, -1, 0.25f});
    mesh.triangles.push_back({0, 3, 4});
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.non_manifold_edges, 1u);
    EXPECT_EQ(report.open_edges, 2u);
    EXPECT_FALSE(report.is_closed());
    EXPECT_EQ(describe_defects(report), "open (2 edges), 1 non-manifold edge");
}

TEST(MeshReport, edges_of_mixed_winding_are_counted) {
    Mesh mesh = tetrahedron();
    std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.mixed_edges, 3u);
    EXPECT_EQ(describe_defects(report), "3 edges of mixed winding");
}

TEST(MeshReport, points_split_at_seams_do_not_open_the_mesh) {
    Mesh mesh = tetrahedron(), split;
    for (Triangle& triangle : mesh.triangles) {
        const auto first = static_cast<std::uint32_t>(split.points.size());
        for (const std::uint32_t i : triangle)
            split.points.push_back(mesh.points[i]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    split.points[0].x = -0.f;
    const MeshReport report = clean(split);
    EXPECT_EQ(describe_defects(report), "clean");
    EXPECT_EQ(report.pieces, 1u);
    EXPECT_EQ(split.points.size(), 12u) << "the mesh itself stays split";
}

TEST(MeshReport, pieces_are_counted_without_stray_points) {
    Mesh mesh = tetrahedron(), other = tetrahedron();
    transform(other, 1, make_pose({3, 0, 0}, {}));
    mesh.points.push_back({9, 9, 9});
    add(mesh, other);
    EXPECT_EQ(clean(mesh).pieces, 2u);
}

TEST(Crossings, touching_and_flat_neighbours_do_not_cross) {
    const std::array<Vec3f, 3> flat{Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    using Corners = std::array<Vec3f, 3>;
    EXPECT_TRUE(triangles_cross(flat, Corners{Vec3f{0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {5, 5, 0}}));
    EXPECT_TRUE(triangles_cross(Corners{Vec3f{-5, 0.25f, -1}, {5, 0.25f, -1}, {0.25f, 0.25f, 1}}, flat));
    EXPECT_FALSE(triangles_cross(flat, Corners{Vec3f{0.2f, 0.2f, 0}, {0.2f, 0.2f, 1}, {5, 5, 1}})) << "touches";
    EXPECT_FALSE(triangles_cross(flat, Corners{Vec3f{0.2f, 0.2f, 0}, {0.4f, 0.2f, 0}, {0.2f, 0.4f, 0}})) << "in plane";
    EXPECT_FALSE(triangles_cross(flat, Corners{Vec3f{0, 0, 1}, {1, 0, 1}, {0, 1, 1}})) << "above";
    EXPECT_FALSE(triangles_cross(flat, Corners{Vec3f{2, 2, -1}, {2, 2, 1}, {3, 3, 0}})) << "beside";
}

/// Every pair, without any lattice.
std::int64_t count_all(const Mesh& mesh) {
    std::int64_t sum = 0;
    const auto corners = [&](std::size_t t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return std::array{mesh.points[a], mesh.points[b], mesh.points[c]};
    };
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            sum += triangles_cross(corners(i), corners(j));
    }
    return sum;
}

Mesh soup(std::uint32_t triangles, float size) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 3 * triangles; ++i) {
        const auto draw = [&](std::uint64_t item, std::uint64_t k) { return uniform(hash_counter(1, item, k)); };
        const Vec3f center{draw(i / 3, 0), draw(i / 3, 1), draw(i / 3, 2)};
        mesh.points.push_back(center + Vec3f{draw(i, 3), draw(i, 4), draw(i, 5)} * size);
    }
    for (std::uint32_t i = 0; i < triangles; ++i)
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    return mesh;
}

TEST(Crossings, are_as_many_as_all_pairs_have_for_any_number_of_threads) {
    Mesh mesh = soup(800, 0.1f);
    // Two of a floor, far larger than all others.
    mesh.points.insert(mesh.points.end(), {{-50, 0.5f, -50}, {50, 0.5f, -50}, {0, 0.5f, 50}, {0, 0.4f, 50}});
    mesh.triangles.push_back({2400, 2401, 2402});
    mesh.triangles.push_back({2400, 2401, 2403});
    const std::int64_t expected = count_all(mesh);
    EXPECT_GT(expected, 100);
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(count_crossings(mesh.points, mesh.triangles), expected);
    }
}

TEST(Crossings, two_balls_into_each_other_cross_along_a_ring) {
    Mesh mesh = make_sphere({0, 0, 0}, 1);
    EXPECT_EQ(clean(mesh).crossings, 0);
    add(mesh, make_sphere({0.9, 0, 0.1}, 1));
    const MeshReport report = clean(mesh);
    EXPECT_GT(report.crossings, 100);
    EXPECT_LT(report.crossings, 2000);
    EXPECT_EQ(report.pieces, 2u);
}

TEST(Crossings, a_crowd_in_one_place_is_not_counted_and_said_so) {
    Mesh mesh = soup(20000, 1e-3f);
    for (Vec3f& p : mesh.points)
        p = p * 1e-4f;
    mesh.points.push_back({1e6f, 0, 0});
    mesh.points.push_back({1e6f, 1, 0});
    mesh.points.push_back({1e6f, 0, 1e6f});
    mesh.triangles.push_back({60000, 60001, 60002});
    const MeshReport report = clean(mesh);
    EXPECT_EQ(report.crossings, -1);
    EXPECT_NE(describe_defects(report).find("crossings not counted"), std::string::npos);
}

}  // namespace
}  // namespace spindrift::geometry
