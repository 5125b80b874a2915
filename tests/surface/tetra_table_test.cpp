// Each way to share four corners of a tetrahedron between labels.

#include "spindrift/surface/contour/tetra_table.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "spindrift/core/vec.h"
#include "spindrift/surface/contour/cube_points.h"

namespace spindrift::surface {
namespace {

using Labels = std::array<std::uint8_t, 4>;
using Points = std::set<int>;

struct Face {
    std::array<std::uint8_t, 2> sides;
    Points points;
    auto operator<=>(const Face&) const = default;
};

std::vector<Face> faces_of(const Labels& labels) {
    std::vector<Face> faces;
    const TetraCase& c = tetra_table()[cut_edges(labels.data())];
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.count); ++i) {
        TetraTriangle t = c.triangles[i];
        const auto sides = turn_to_higher(labels.data(), t);
        faces.push_back({sides, {t.points[0], t.points[1], t.points[2]}});
    }
    std::sort(faces.begin(), faces.end());
    return faces;
}

TEST(TetraTable, one_label_has_no_faces) {
    EXPECT_TRUE(faces_of({7, 7, 7, 7}).empty());
}

TEST(TetraTable, three_and_one_have_a_triangle_around_the_one) {
    EXPECT_EQ(faces_of({0, 0, 0, 1}), (std::vector<Face>{{{0, 1}, {2, 4, 5}}}));
    EXPECT_EQ(faces_of({air, 4, 4, 4}), (std::vector<Face>{{{4, air}, {0, 1, 2}}}));
}

TEST(TetraTable, two_and_two_have_a_quad) {
    EXPECT_EQ(faces_of({0, 0, 1, 1}), (std::vector<Face>{{{0, 1}, {1, 2, 4}}, {{0, 1}, {1, 3, 4}}}));
}

TEST(TetraTable, two_and_two_single_ones_have_two_face_points_and_five_triangles) {
    // Faces across from 1 and 0 have three labels: their points are 7 and 6.
    const std::vector<Face> expected{
        {{0, 1}, {1, 6, 7}}, {{0, 1}, {1, 3, 6}}, {{0, 2}, {2, 6, 7}}, {{0, 2}, {2, 4, 6}}, {{1, 2}, {5, 6, 7}}};
    auto sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(faces_of({0, 0, 1, 2}), sorted);
}

TEST(TetraTable, four_labels_have_twelve_triangles_around_the_middle) {
    const auto faces = faces_of({0, 1, 2, 3});
    ASSERT_EQ(faces.size(), 12u);
    std::map<std::array<std::uint8_t, 2>, int> pairs;
    for (const Face& face : faces) {
        EXPECT_TRUE(face.points.contains(10));
        ++pairs[face.sides];
    }
    EXPECT_EQ(pairs.size(), 6u);
    for (const auto& [sides, count] : pairs)
        EXPECT_EQ(count, 2);
}

TEST(TetraTable, patterns_that_cannot_be_are_empty) {
    EXPECT_EQ(tetra_table()[1].count, 0) << "one edge cannot differ alone";
    EXPECT_EQ(std::ranges::count_if(tetra_table(), [](const TetraCase& c) { return c.count > 0; }), 14);
}

TEST(TetraTable, triangles_have_their_two_labels_on_their_two_sides) {
    const Vec3d corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto place = [&](int point) {
        if (point < 6)
            return 0.5 * (corners[tetra_edges[static_cast<std::size_t>(point)][0]] +
                          corners[tetra_edges[static_cast<std::size_t>(point)][1]]);
        const Vec3d all = corners[1] + corners[2] + corners[3];
        return point == 10 ? all / 4.0 : (all - corners[point - 6]) / 3.0;
    };
    for (const TetraCase& c : tetra_table()) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.count); ++i) {
            const TetraTriangle& t = c.triangles[i];
            const Vec3d a = place(t.points[0]);
            const Vec3d normal = cross(place(t.points[1]) - a, place(t.points[2]) - a);
            EXPECT_GT(dot(normal, corners[t.front] - a), 1e-6);
            EXPECT_LT(dot(normal, corners[t.behind] - a), -1e-6);
        }
    }
}

TEST(CubeTetrahedra, fill_the_cube_in_positive_order) {
    const auto place = [](int c) { return Vec3i{c & 1, c >> 1 & 1, c >> 2}; };
    for (const CubeTetra& t : cube_tetrahedra()) {
        const Vec3i a = place(t.corners[0]);
        EXPECT_EQ(dot(place(t.corners[1]) - a, cross(place(t.corners[2]) - a, place(t.corners[3]) - a)), 1)
            << "six of a sixth of the cube";
    }
}

TEST(EdgeRoot, is_where_phi_or_the_lead_is_level_and_never_at_an_end) {
    EXPECT_FLOAT_EQ(edge_root(0, air, -1, 3, 9, 9), 0.25f);
    EXPECT_FLOAT_EQ(edge_root(air, 0, 3, -1, 9, 9), 0.75f);
    EXPECT_FLOAT_EQ(edge_root(0, 1, -1, -3, 3, 1), 0.75f);
    EXPECT_FLOAT_EQ(edge_root(0, air, -1, 0, 0, 0), 0.98f);
    EXPECT_FLOAT_EQ(edge_root(0, 1, -1, -1, 0, 0), 0.02f);
}

TEST(PlacePoint, in_triangles_and_tetrahedra_is_the_mean_of_the_roots) {
    CellCorners corners;
    for (int i = 0; i < 729; ++i) {
        corners.phi[i] = -1;
        corners.label[i] = static_cast<std::uint8_t>(i % 251);
        corners.lead[i] = 1;
    }
    const auto expect_place = [&](int kind, Vec3f p) {
        const Vec3f found = place_point(corners, 0, kind);
        EXPECT_NEAR(length(found - p), 0, 1e-6) << kind;
    };
    expect_place(0, {0.5f, 0, 0});
    expect_place(6, {0.5f, 0.5f, 0.5f});
    expect_place(first_triangle_kind, {2 / 3.f, 1 / 3.f, 0});  // corners 0, x, xy
    expect_place(first_tetra_kind, {0.75f, 0.5f, 0.25f});      // corners 0, x, xy, xyz
    corners.lead[1] = 3;                                       // edge 0-x at 1/4, x-xy at 3/4
    expect_place(first_triangle_kind, {1.75f / 3, 1.25f / 3, 0});
}

}  // namespace
}  // namespace spindrift::surface
