// Tetrahedra between points of any arrangement, and the surfaces in them.

#include "spindrift/surface/contour/delaunay.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "closed.h"

#include "spindrift/core/random.h"
#include "spindrift/surface/contour/split_liquids.h"

namespace spindrift::surface {
namespace {

std::vector<Vec3f> random_points(std::size_t count, float width) {
    std::vector<Vec3f> points(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (int a = 0; a < 3; ++a)
            points[i][a] = width * uniform(hash_counter(5, i, static_cast<std::uint64_t>(a)));
    }
    return points;
}

std::vector<Vec3f> cubic_points(int width) {
    std::vector<Vec3f> points;
    for (int i = 0; i < width * width * width; ++i)
        points.push_back(vec_cast<float>(Vec3i{i % width, i / width % width, i / width / width}));
    return points;
}

double volume_of(const std::vector<Tetrahedron>& tetrahedra, const std::vector<Vec3f>& points) {
    double sum = 0;
    for (const auto& [a, b, c, d] : tetrahedra) {
        const auto p = vec_cast<double>(points[a]);
        const auto edge = [&](std::uint32_t to) { return vec_cast<double>(points[to]) - p; };
        sum += dot(edge(b), cross(edge(c), edge(d))) / 6;
    }
    return sum;
}

struct Samples {
    std::vector<std::uint8_t> labels;
    std::vector<float> phi, lead;
};

/// Random labels within a distance of the middle of a box, air beyond it.
Samples random_labels(const std::vector<Vec3f>& points, float width, int liquids) {
    Samples s;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float r = length(points[i] - Vec3f{width / 2, width / 2, width / 2});
        const bool inside = r < 0.35f * width && uniform(hash_counter(6, i, 0)) < 0.8f;
        const float phi = 0.1f + uniform(hash_counter(6, i, 1));
        s.phi.push_back(inside ? -phi : phi);
        s.lead.push_back(0.1f + uniform(hash_counter(6, i, 2)));
        const auto label = static_cast<std::uint8_t>(static_cast<float>(liquids) * uniform(hash_counter(6, i, 3)));
        s.labels.push_back(inside ? label : air);
    }
    return s;
}

void expect_sound(const geometry::InterfaceMesh& all, std::size_t liquids) {
    double sum = 0;
    for (const geometry::Mesh& mesh : split_liquids(all, liquids)) {
        expect_closed(mesh.triangles);
        const double volume = signed_volume(mesh.points, mesh.triangles);
        EXPECT_GT(volume, 0);
        sum += volume;
    }
    const geometry::Mesh around = liquid_mesh(all, air);
    expect_closed(around.triangles);
    EXPECT_NEAR(sum + signed_volume(around.points, around.triangles), 0, 1e-6 * sum);
}

TEST(Delaunay, one_tetrahedron_is_cut_where_its_values_say) {
    const std::vector<Vec3f> points{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const std::vector<float> phi{-1, 3, 1, 0.25f}, lead{1, 1, 1, 1};
    const std::vector<Tetrahedron> one{{0, 1, 2, 3}};
    const geometry::InterfaceMesh cut =
        contour_tetrahedra(one, points, std::vector<std::uint8_t>{2, air, air, air}, phi, lead);
    EXPECT_EQ(cut.mesh.points, (std::vector<Vec3f>{{1, 0, 0}, {0, 2, 0}, {0, 0, 3.2f}}));
    EXPECT_EQ(cut.mesh.triangles, (std::vector<geometry::Triangle>{{0, 1, 2}}));
    EXPECT_EQ(cut.sides, (std::vector<std::array<std::uint8_t, 2>>{{2, air}}));
}

TEST(Delaunay, four_labels_meet_in_the_middle_of_the_roots) {
    const std::vector<Vec3f> points{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const std::vector<float> phi{-1, -1, -1, -1}, lead{1, 1, 1, 1};
    const std::vector<Tetrahedron> one{{0, 1, 2, 3}};
    const geometry::InterfaceMesh cut =
        contour_tetrahedra(one, points, std::vector<std::uint8_t>{0, 1, 2, 3}, phi, lead);
    ASSERT_EQ(cut.mesh.points.size(), 11u);
    EXPECT_EQ(cut.mesh.triangles.size(), 12u);
    EXPECT_EQ(cut.mesh.points[10], (Vec3f{1, 1, 1}));
}

TEST(Delaunay, tetrahedra_of_random_points_fill_their_hull) {
    auto points = random_points(300, 1);
    for (const Vec3f corner :
         {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}})
        points.push_back(corner);
    const auto tetrahedra = delaunay_tetrahedra(points);
    EXPECT_GT(tetrahedra.size(), 1500u);
    EXPECT_NEAR(volume_of(tetrahedra, points), 1, 1e-6);
    EXPECT_TRUE(std::ranges::is_sorted(tetrahedra));
}

TEST(Delaunay, eight_points_on_each_of_many_spheres_are_no_trouble) {
    const auto points = cubic_points(8);
    const auto tetrahedra = delaunay_tetrahedra(points);
    // Points are moved by a billionth or so, those of the hull's faces too.
    EXPECT_NEAR(volume_of(tetrahedra, points), 343, 1e-3);
    const Samples s = random_labels(points, 7, 3);
    expect_sound(contour_delaunay(points, s.labels, s.phi, s.lead), 3);
}

TEST(Delaunay, random_labels_on_random_points_give_closed_meshes) {
    const auto points = random_points(2000, 10);
    for (const int liquids : {1, 4}) {
        const Samples s = random_labels(points, 10, liquids);
        const geometry::InterfaceMesh all = contour_delaunay(points, s.labels, s.phi, s.lead);
        EXPECT_GT(all.mesh.triangles.size(), 1000u);
        expect_sound(all, static_cast<std::size_t>(liquids));
    }
}

TEST(Delaunay, a_ball_has_its_volume) {
    const auto points = random_points(3000, 10);
    Samples s;
    for (const Vec3f& p : points) {
        s.phi.push_back(length(p - Vec3f{5, 5, 5}) - 4);
        s.lead.push_back(std::abs(p.x - 5));
        s.labels.push_back(s.phi.back() >= 0 ? air : p.x < 5 ? 0 : 1);
    }
    const auto each = split_liquids(contour_delaunay(points, s.labels, s.phi, s.lead), 2);
    const double half = 2.0 / 3 * std::numbers::pi * 64;
    // Tetrahedra are 0.7 wide, and chords of that width cut 2 % off a ball of 4.
    for (const geometry::Mesh& mesh : each)
        EXPECT_NEAR(signed_volume(mesh.points, mesh.triangles) / half, 1, 0.05);
}

TEST(Delaunay, gives_the_same_bits_again) {
    const auto points = cubic_points(6);
    EXPECT_EQ(delaunay_tetrahedra(points), delaunay_tetrahedra(points));
}

TEST(Delaunay, points_that_enclose_nothing_give_nothing) {
    EXPECT_TRUE(delaunay_tetrahedra({}).empty());
    EXPECT_TRUE(delaunay_tetrahedra(random_points(4, 1)).empty());
    EXPECT_TRUE(delaunay_tetrahedra(std::vector<Vec3f>(20, Vec3f{1, 2, 3})).empty()) << "all in one place";
    auto line = random_points(50, 1), sheet = random_points(50, 1);
    for (Vec3f& p : line)
        p.y = p.z = p.x;
    for (Vec3f& p : sheet)
        p.z = 0.5f * p.x + 0.25f;
    EXPECT_TRUE(delaunay_tetrahedra(line).empty());
    EXPECT_TRUE(delaunay_tetrahedra(sheet).empty());
}

TEST(Delaunay, doubled_points_and_those_not_finite_do_no_harm) {
    auto points = random_points(200, 1);
    for (std::size_t i = 0; i < 50; ++i)
        points.push_back(points[i]);
    points[7].y = std::numeric_limits<float>::quiet_NaN();
    points[8].x = std::numeric_limits<float>::infinity();
    const auto tetrahedra = delaunay_tetrahedra(points);
    EXPECT_GT(tetrahedra.size(), 500u);
    for (const Tetrahedron& t : tetrahedra) {
        for (const std::uint32_t corner : t)
            EXPECT_TRUE(corner != 7 && corner != 8 && corner < points.size());
    }
}

}  // namespace
}  // namespace spindrift::surface
