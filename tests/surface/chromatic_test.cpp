// Surfaces of several liquids: closed whatever the labels are, and where they should be.

#include "spindrift/surface/contour/chromatic.h"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "closed.h"
#include "made_lattice.h"

#include "spindrift/core/parallel.h"
#include "spindrift/surface/contour/split_liquids.h"

namespace spindrift::surface {
namespace {

void expect_sound(const geometry::InterfaceMesh& all, std::size_t liquids) {
    ASSERT_EQ(all.sides.size(), all.mesh.triangles.size());
    for (const auto& [behind, front] : all.sides)
        EXPECT_LT(behind, front);
    double sum = 0;
    for (const geometry::Mesh& mesh : split_liquids(all, liquids)) {
        expect_closed(mesh.triangles);
        const double volume = signed_volume(mesh.points, mesh.triangles);
        EXPECT_GE(volume, 0);
        sum += volume;
    }
    const geometry::Mesh around = liquid_mesh(all, air);
    expect_closed(around.triangles);
    // Sums of a hundred thousand terms of the size of the box in double precision.
    EXPECT_NEAR(sum + signed_volume(around.points, around.triangles), 0, 1e-6 * sum);
}

class RandomLabelsTest : public testing::TestWithParam<std::tuple<Cut, int, int>> {};

TEST_P(RandomLabelsTest, give_closed_meshes_that_fill_space) {
    const auto& [cut, liquids, block] = GetParam();
    const Vec3i leaves{3, 2, 2};
    for (const float air_share : {0.0f, 0.3f, 0.85f}) {
        RandomLabels labels;
        labels.points = leaves * 8;
        labels.liquids = liquids;
        labels.block = block;
        labels.air_share = air_share;
        const geometry::InterfaceMesh all = contour_liquids(make_lattice(leaves, labels, {-1, -2, 5}), cut);
        EXPECT_GT(all.mesh.triangles.size(), 1000u);
        expect_sound(all, static_cast<std::size_t>(liquids));
    }
}

INSTANTIATE_TEST_SUITE_P(All, RandomLabelsTest,
                         testing::Combine(testing::Values(Cut::where_liquids_meet, Cut::everywhere),
                                          testing::Values(1, 2, 4, 15), testing::Values(1, 3)));

/// How often each label's mesh goes around a point: crossings of a ray along z.
class RayCounter {
  public:
    RayCounter(const geometry::InterfaceMesh& all, int points)
        : all_(all), columns_(static_cast<std::size_t>(points * points)) {
        for (std::size_t t = 0; t < all.sides.size(); ++t) {
            const auto& [a, b, c] = all.mesh.triangles[t];
            const Vec3f middle = (all.mesh.points[a] + all.mesh.points[b] + all.mesh.points[c]) / 3.0f;
            columns_[static_cast<std::size_t>(static_cast<int>(middle.y) * points + static_cast<int>(middle.x))]
                .push_back(t);
        }
        width_ = points;
    }

    std::array<int, 256> count(Vec3d from) const {
        std::array<int, 256> rounds{};
        for (const std::size_t t : columns_[static_cast<std::size_t>(int(from.y) * width_ + int(from.x))]) {
            const int turn = crossing(all_.mesh.triangles[t], from);
            rounds[all_.sides[t][0]] += turn;
            rounds[all_.sides[t][1]] -= turn;
        }
        return rounds;
    }

  private:
    int crossing(const geometry::Triangle& triangle, Vec3d from) const {
        Vec3d p[3];
        for (std::size_t i = 0; i < 3; ++i)
            p[i] = vec_cast<double>(all_.mesh.points[triangle[i]]) - from;
        double area[3], sum = 0, height = 0;
        for (int i = 0; i < 3; ++i) {
            const Vec3d &a = p[(i + 1) % 3], &b = p[(i + 2) % 3];
            area[i] = a.x * b.y - a.y * b.x;
            sum += area[i];
            height += area[i] * p[i].z;
        }
        const bool up = area[0] > 0 && area[1] > 0 && area[2] > 0, down = area[0] < 0 && area[1] < 0 && area[2] < 0;
        return (up || down) && height / sum > 0 ? (up ? 1 : -1) : 0;
    }

    const geometry::InterfaceMesh& all_;
    std::vector<std::vector<std::size_t>> columns_;
    int width_ = 0;
};

TEST(Chromatic, each_point_of_space_is_in_one_liquid_or_in_air) {
    for (const Cut cut : {Cut::where_liquids_meet, Cut::everywhere}) {
        for (const int block : {1, 3}) {
            RandomLabels labels;
            labels.points = {16, 16, 16};
            labels.liquids = 3;
            labels.block = block;
            const geometry::InterfaceMesh all = contour_liquids(make_lattice({2, 2, 2}, labels), cut);
            const RayCounter rays(all, 16);
            std::size_t wrong = 0, in_liquid = 0;
            for (std::uint64_t i = 0; i < 25000; ++i) {
                Vec3d p;
                for (int a = 0; a < 3; ++a)
                    p[a] = 15.0 * uniform(hash_counter(9, i, static_cast<std::uint64_t>(a)));
                const std::array<int, 256> rounds = rays.count(p);
                const auto once = std::count(rounds.begin(), rounds.end() - 1, 1);
                const auto never = std::count(rounds.begin(), rounds.end() - 1, 0);
                wrong += once > 1 || once + never != 255 || rounds[air] != -once;
                in_liquid += once == 1;
            }
            EXPECT_EQ(wrong, 0u) << int(cut) << " " << block;
            EXPECT_GT(in_liquid, 7500u);
        }
    }
}

/// Points of the triangles between two labels alone.
std::vector<Vec3d> points_between(const geometry::InterfaceMesh& all, std::uint8_t behind, std::uint8_t front) {
    std::set<std::uint32_t> own, others;
    for (std::size_t t = 0; t < all.sides.size(); ++t) {
        const bool here = all.sides[t] == std::array<std::uint8_t, 2>{behind, front};
        (here ? own : others).insert(all.mesh.triangles[t].begin(), all.mesh.triangles[t].end());
    }
    std::vector<Vec3d> points;
    for (const std::uint32_t p : own) {
        if (!others.contains(p)) points.push_back(vec_cast<double>(all.mesh.points[p]));
    }
    return points;
}

TEST(Chromatic, a_ball_in_a_ball_has_both_surfaces_in_place) {
    const Vec3d middle{23.6, 24.1, 23.9};
    const auto sample = [&](Vec3i p) {
        const auto r = static_cast<float>(length(vec_cast<double>(p) - middle));
        Sample s{.phi = r - 20, .label = air, .lead = std::abs(r - 12)};
        if (r < 20) s.label = r < 12 ? 1 : 0;
        return s;
    };
    const geometry::InterfaceMesh all = contour_liquids(make_lattice({6, 6, 6}, sample));
    expect_sound(all, 2);
    const auto inner = points_between(all, 0, 1), outer = points_between(all, 0, air);
    ASSERT_GT(inner.size(), 1000u);
    ASSERT_GT(outer.size(), 3000u);
    // The distance to a ball bends: along a diagonal of length sqrt(3) by 3 / (8 r).
    for (const Vec3d& p : inner)
        EXPECT_NEAR(length(p - middle), 12, 0.05);
    for (const Vec3d& p : outer)
        EXPECT_NEAR(length(p - middle), 20, 0.05);
    const auto meshes = split_liquids(all, 2);
    const double inside = 4.0 / 3 * std::numbers::pi * 12 * 12 * 12, both = 4.0 / 3 * std::numbers::pi * 8000;
    EXPECT_NEAR(signed_volume(meshes[1].points, meshes[1].triangles) / inside, 1, 0.01);
    EXPECT_NEAR(signed_volume(meshes[0].points, meshes[0].triangles) / (both - inside), 1, 0.01);
}

/// Three half-spaces that meet in a slanted line: air above, two liquids below, in a box of air.
TEST(Chromatic, planes_are_flat_up_to_the_line_where_three_meet) {
    const Vec3d up = normalize(Vec3d{0.2, 1, 0.1}), across = normalize(Vec3d{1, -0.1, 0.3}), middle{12, 12, 12};
    const auto sample = [&](Vec3i p) {
        const Vec3d d = vec_cast<double>(p) - middle;
        double phi = dot(d, up);
        for (int a = 0; a < 3; ++a)
            phi = std::max(phi, std::abs(d[a]) - 9.3);
        Sample s{.phi = static_cast<float>(phi), .label = air, .lead = static_cast<float>(std::abs(dot(d, across)))};
        if (s.phi < 0) s.label = dot(d, across) < 0 ? 0 : 1;
        return s;
    };
    for (const Cut cut : {Cut::where_liquids_meet, Cut::everywhere}) {
        const geometry::InterfaceMesh all = contour_liquids(make_lattice({3, 3, 3}, sample), cut);
        expect_sound(all, 2);
        for (const Vec3d& p : points_between(all, 0, 1))
            EXPECT_NEAR(dot(p - middle, across), 0, 0.05);
        for (const std::uint8_t liquid : {0, 1}) {
            for (const Vec3d& p : points_between(all, liquid, air)) {
                const Vec3d d = p - middle;
                if (std::abs(d.x) > 8 || std::abs(d.z) > 8 || d.y < -5) continue;
                EXPECT_NEAR(dot(d, up), 0, 0.05);
            }
        }
    }
}

TEST(Chromatic, cubes_of_one_liquid_and_air_have_a_third_of_the_triangles_of_tetrahedra) {
    const auto sample = [](Vec3i p) {
        const Vec3d d = vec_cast<double>(p) - Vec3d{15.5, 15.5, 15.5};
        Sample s{.phi = static_cast<float>(length(d) - 12), .label = air, .lead = static_cast<float>(std::abs(d.x))};
        if (s.phi < 0) s.label = d.x < 0 ? 0 : 1;
        return s;
    };
    const Lattice lattice = make_lattice({4, 4, 4}, sample);
    const auto faces_at_air = [](const geometry::InterfaceMesh& all) {
        return std::ranges::count_if(all.sides, [](const auto& sides) { return sides[1] == air; });
    };
    const auto mixed = contour_liquids(lattice), tetra = contour_liquids(lattice, Cut::everywhere);
    EXPECT_LT(2 * faces_at_air(mixed), faces_at_air(tetra));
}

TEST(Chromatic, touching_liquids_share_triangles_to_the_last_bit) {
    RandomLabels labels;
    labels.points = {16, 16, 16};
    const auto each = split_liquids(contour_liquids(make_lattice({2, 2, 2}, labels)), 2);
    using Corners = std::array<std::array<float, 3>, 3>;
    const auto corners_of = [](const geometry::Mesh& mesh, bool turned) {
        std::map<Corners, int> found;
        for (auto t : mesh.triangles) {
            if (turned) std::swap(t[1], t[2]);
            Corners corners;
            for (std::size_t i = 0; i < 3; ++i)
                corners[i] = {mesh.points[t[i]].x, mesh.points[t[i]].y, mesh.points[t[i]].z};
            ++found[corners];
        }
        return found;
    };
    const auto first = corners_of(each[0], false), second = corners_of(each[1], true);
    const auto all = contour_liquids(make_lattice({2, 2, 2}, labels));
    std::size_t shared = 0;
    for (const auto& [corners, count] : first)
        shared += second.contains(corners);
    EXPECT_EQ(shared, static_cast<std::size_t>(std::ranges::count(all.sides, std::array<std::uint8_t, 2>{0, 1})));
    EXPECT_GT(shared, 1000u);
}

TEST(Chromatic, the_number_of_threads_changes_no_bit) {
    RandomLabels labels;
    labels.points = {40, 32, 32};
    labels.liquids = 4;
    labels.block = 3;
    const Lattice lattice = make_lattice({5, 4, 4}, labels);
    const auto with_threads = [&](int threads) {
        const ThreadLimit limit(threads);
        return contour_liquids(lattice);
    };
    const geometry::InterfaceMesh one = with_threads(1), four = with_threads(4);
    EXPECT_TRUE(one.mesh.points == four.mesh.points);
    EXPECT_TRUE(one.mesh.triangles == four.mesh.triangles);
    EXPECT_TRUE(one.sides == four.sides);
}

TEST(Chromatic, a_lattice_without_labels_has_one_liquid) {
    const auto sample = [](Vec3i p) {
        const Vec3d d = vec_cast<double>(p) - Vec3d{7.5, 7.5, 7.5};
        return Sample{.phi = static_cast<float>(length(d) - 5)};
    };
    Lattice lattice = make_lattice({2, 2, 2}, sample);
    lattice.label.release();
    lattice.lead.release();
    const geometry::InterfaceMesh all = contour_liquids(lattice);
    expect_sound(all, 1);
    const double volume = 4.0 / 3 * std::numbers::pi * 125;
    // A ball five voxels in radius loses that much to flat triangles.
    EXPECT_NEAR(signed_volume(all.mesh.points, all.mesh.triangles) / volume, 1, 0.03);
}

TEST(Chromatic, a_surface_that_leaves_the_leaves_is_open_and_nothing_else_happens) {
    RandomLabels labels;
    labels.points = {100, 100, 100};
    labels.liquids = 4;
    const geometry::InterfaceMesh all = contour_liquids(make_lattice({2, 2, 2}, labels));
    EXPECT_GT(all.mesh.triangles.size(), 1000u);
    for (const auto& t : all.mesh.triangles) {
        for (const std::uint32_t p : t)
            EXPECT_LT(p, all.mesh.points.size());
    }
    EXPECT_TRUE(contour_liquids(Lattice{}).mesh.triangles.empty());
}

TEST(SplitLiquids, carries_attributes_and_drops_points_of_others) {
    geometry::InterfaceMesh all;
    all.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    all.mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    all.mesh.attributes = {{"v", 2, {0, 1, 10, 11, 20, 21, 30, 31}}};
    all.sides = {{0, 2}, {2, air}};
    const auto each = split_liquids(all, 3);
    EXPECT_EQ(each[0].points.size(), 3u);
    EXPECT_TRUE(each[1].points.empty());
    EXPECT_EQ(each[2].triangles, (std::vector<geometry::Triangle>{{0, 2, 1}, {1, 3, 2}}));
    EXPECT_EQ(each[0].attributes[0].values, (std::vector<float>{0, 1, 10, 11, 20, 21}));
    EXPECT_EQ(liquid_mesh(all, air).attributes[0].values, (std::vector<float>{10, 11, 20, 21, 30, 31}));
}

}  // namespace
}  // namespace spindrift::surface
