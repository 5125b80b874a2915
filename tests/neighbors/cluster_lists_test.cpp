#include "spindrift/neighbors/cluster_lists.h"

#include <algorithm>
#include <set>
#include <string>

#include "sorted_points.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/neighbors/reference/brute_force.h"
#include "spindrift/neighbors/reference/spatial_hash.h"

namespace spindrift::neighbors {
namespace {

/// Squared distances from kernels with and without fused multiply-add differ by a few units in the last place of 1.
constexpr double rounding = 1e-6;

double distance_squared(const Float4& a, const Float4& b) {
    const Vec3d d = vec_cast<double>(a.xyz()) - vec_cast<double>(b.xyz());
    return dot(d, d);
}

std::vector<Vec3f> kept_positions(const SortedPoints& sorted) {
    std::vector<Vec3f> x;
    for (std::size_t i = 0; i < sorted.kept(); ++i)
        x.push_back(sorted.x[i].xyz());
    return x;
}

/// Every entry is within h of one of the cluster's particles, none appears twice, padding stands at the end.
void expect_entries_belong(const ClusterLists& lists, const SortedPoints& sorted, const Cluster& c) {
    const std::span<const std::uint32_t> list = lists.neighbors(c);
    ASSERT_EQ(list.size() % 4, 0u);
    std::set<std::uint32_t> seen;
    std::size_t padding = 0;
    for (std::uint32_t j : list) {
        if (j == sorted.kept()) {
            ++padding;
            continue;
        }
        ASSERT_EQ(padding, 0u) << "a neighbour behind padding";
        ASSERT_LT(j, sorted.kept());
        ASSERT_TRUE(seen.insert(j).second) << "particle " << j << " twice";
        double nearest = 1e9;
        for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
            nearest = std::min(nearest, distance_squared(sorted.x[i], sorted.x[j]));
        }
        ASSERT_LT(nearest, 1 + rounding);
    }
    ASSERT_LT(padding, 4u);
}

/// Clusters hold the particles in order, one to eight each.
void expect_clusters_cover(const ClusterLists& lists, const SortedPoints& sorted) {
    std::uint32_t next = 0;
    for (const Cluster& c : lists.clusters()) {
        ASSERT_EQ(c.first, next);
        ASSERT_GE(c.count, 1u);
        ASSERT_LE(c.count, 8u);
        next += c.count;
    }
    ASSERT_EQ(next, sorted.kept());
}

/// Compares with a search that shares no code with the lists.
template <class Search>
void expect_exact_lists(const SortedPoints& sorted) {
    ClusterLists lists;
    lists.build(sorted.grid, sorted.x.data(), sorted.kept());
    ASSERT_NO_FATAL_FAILURE(expect_clusters_cover(lists, sorted));

    const std::vector<Vec3f> x = kept_positions(sorted);
    Search search;
    search.build(x, 1);
    const reference::PairLists pairs = reference::list_pairs(search);
    for (const Cluster& c : lists.clusters()) {
        ASSERT_NO_FATAL_FAILURE(expect_entries_belong(lists, sorted, c));
        const std::set<std::uint32_t> list(lists.neighbors(c).begin(), lists.neighbors(c).end());
        for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
            ASSERT_TRUE(list.contains(i)) << "particle " << i << " is not in its own list";
            for (std::uint32_t j : pairs.of(i)) {
                if (distance_squared(sorted.x[i], sorted.x[j]) > 1 - rounding) continue;
                ASSERT_TRUE(list.contains(j)) << "pair " << i << ", " << j << " is missing";
            }
        }
    }
}

struct Case {
    std::string name;
    Points points;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

Points clumps() {
    Points points;
    for (std::uint64_t c = 0; c < 12; ++c) {
        const Vec3f corner = random_vec(20, c) * 30.f - Vec3f{15, 15, 15};
        const Points clump = random_points(30 + c, 150, corner, {1.5f, 1.5f, 1.5f});
        points.insert(points.end(), clump.begin(), clump.end());
    }
    return points;
}

/// Points on t * direction, t from -reach to reach.
Points line(Vec3f direction, std::size_t n, float reach) {
    Points points;
    for (std::size_t i = 0; i < n; ++i) {
        points.push_back(direction * (reach * (2 * static_cast<float>(i) / static_cast<float>(n) - 1)));
    }
    return points;
}

std::vector<Case> cases() {
    return {
        {"nothing", {}},
        {"one", {{3.5f, -2.25f, 1}}},
        {"two_near", {{7.9f, 7.9f, 7.9f}, {8.1f, 8.1f, 8.1f}}},
        {"two_far", {{0, 0, 0}, {500, -500, 500}}},
        {"random_dense", random_points(11, 3000, {-4, -4, -4}, {9, 8, 8})},
        {"random_sparse", random_points(12, 2000, {-40, -40, -40}, {80, 80, 80})},
        {"random_negative", random_points(13, 2000, {-90, -60, -70}, {9, 9, 9})},
        {"lattice_half", lattice_points(14, {-3.5f, -3.5f, -3.5f}, 0.5f)},
        {"lattice_half_off_centre", lattice_points(14, {-3.4f, -3.3f, -3.7f}, 0.5f)},
        {"lattice_quarter", lattice_points(12, {6.5f, 6.5f, 6.5f}, 0.25f)},
        {"lattice_one", lattice_points(10, {-5, -5, -5}, 1)},
        {"lattice_third", lattice_points(13, {-2, -2, -2}, 1.f / 3)},
        {"clumps", clumps()},
        {"one_point", Points(2000, Vec3f{7.99f, 0, -8})},
        {"line_x", line({1, 0, 0}, 2000, 30)},
        {"line_y", line({0, 1, 0}, 2000, 30)},
        {"line_z", line({0, 0, 1}, 2000, 30)},
        {"line_diagonal", line({0.6f, 0.64f, -0.48f}, 2000, 30)},
        {"plane_between_leaves", random_points(14, 3000, {-10, 0, -10}, {20, 0, 20})},
        {"plane_diagonal",
         [] {
             Points points = random_points(15, 3000, {-10, 0, -10}, {20, 0, 20});
             for (Vec3f& p : points)
                 p.y = p.x + p.z;
             return points;
         }()},
        {"far_1e4", random_points(16, 3000, {1e4f, -1e4f, 1e4f}, {8, 8, 8})},
        {"far_mixed", random_points(17, 3000, {-8195, 8187, -3}, {8, 8, 8})},
        {"far_1e5", random_points(18, 3000, {1e5f, 1e5f, -1e5f}, {8, 8, 8})},
    };
}

class ClusterListsOfPoints : public testing::TestWithParam<Case> {};

TEST_P(ClusterListsOfPoints, lists_hold_exactly_the_particles_within_h) {
    expect_exact_lists<reference::BruteForce>(SortedPoints(GetParam().points));
}

/// Most particles go to the limit on every axis, the corners of what is allowed; every third leaf rests.
void move_since_sort(SortedPoints& sorted) {
    std::uint64_t leaf_number = 0;
    for (Leaf& leaf : sorted.grid.leaves()) {
        if (leaf_number++ % 3 == 2) continue;
        leaf.moved = largest_move;
        // A sum may round beyond the limit by a share of the coordinate's last bit.
        const float limit = 0.99f * largest_move;
        const auto step = [&](float u) { return u < 0.4f ? -limit : u > 0.6f ? limit : 10 * limit * (u - 0.5f); };
        for (std::uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const Vec3f r = random_vec(99, i);
            sorted.x[i].x += step(r.x);
            sorted.x[i].y += step(r.y);
            sorted.x[i].z += step(r.z);
        }
    }
}

TEST_P(ClusterListsOfPoints, lists_are_exact_after_particles_moved_since_the_sort) {
    SortedPoints sorted(GetParam().points);
    move_since_sort(sorted);
    expect_exact_lists<reference::BruteForce>(sorted);
}

INSTANTIATE_TEST_SUITE_P(Cases, ClusterListsOfPoints, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(ClusterListsTest, many_particles_agree_with_spatial_hashing) {
    expect_exact_lists<reference::SpatialHash>(SortedPoints(random_points(41, 60000, {-9, -9, -9}, {18, 18, 18})));
}

TEST(ClusterListsTest, particles_exactly_h_apart_are_no_neighbours) {
    ClusterLists lists;
    const SortedPoints sorted(Points{{0, 0, 0}, {0, 1, 0}, {0, 0, -1}});
    lists.build(sorted.grid, sorted.x.data(), sorted.kept());
    ASSERT_EQ(lists.clusters().size(), 3u);
    for (const Cluster& c : lists.clusters()) {
        EXPECT_EQ(lists.neighbors(c)[0], c.first);
        for (std::size_t k = 1; k < 4; ++k)
            EXPECT_EQ(lists.neighbors(c)[k], 3u);
    }
}

/// Two particles alone in the corners of a leaf cross its borders, and its 26 neighbours are full: the rows they are
/// then found in have the same number, eight cells apart.
TEST(ClusterListsTest, particles_crossing_opposite_borders_of_a_sparse_leaf_keep_their_neighbours) {
    Points points;
    for (Vec3f p : lattice_points(48, {-7.75f, -7.75f, -7.75f}, 0.5f)) {
        if (!Box3f{{0, 0, 0}, {8, 8, 8}}.contains(p)) points.push_back(p);
    }
    points.push_back({0.1f, 0.1f, 0.1f});
    points.push_back({7.9f, 7.9f, 7.9f});
    SortedPoints sorted(points);
    for (std::size_t i = 0; i < sorted.kept(); ++i) {
        if (sorted.x[i].xyz() == Vec3f{0.1f, 0.1f, 0.1f}) sorted.x[i] = {-0.1f, -0.1f, -0.1f, 0};
    }
    for (Leaf& leaf : sorted.grid.leaves())
        leaf.moved = largest_move;
    expect_exact_lists<reference::SpatialHash>(sorted);
}

TEST(ClusterListsTest, lists_hold_the_same_for_one_to_four_threads) {
    const SortedPoints sorted(random_points(42, 40000, {-8, -8, -8}, {16, 16, 16}));
    const auto contents = [&](int threads) {
        const ThreadLimit limit(threads);
        ClusterLists lists;
        lists.build(sorted.grid, sorted.x.data(), sorted.kept());
        std::vector<std::vector<std::uint32_t>> all;
        for (const Cluster& c : lists.clusters())
            all.emplace_back(lists.neighbors(c).begin(), lists.neighbors(c).end());
        return all;
    };
    const auto alone = contents(1);
    for (int threads : {2, 3, 4})
        EXPECT_EQ(contents(threads), alone) << threads << " threads";
}

TEST(ClusterListsTest, lists_can_be_built_again_in_the_same_memory) {
    ClusterLists lists;
    std::size_t reserved = 0;
    for (std::uint64_t round = 0; round < 4; ++round) {
        const SortedPoints sorted(random_points(50 + round, 20000, {0, 0, 0}, {10, 10, 10}));
        lists.build(sorted.grid, sorted.x.data(), sorted.kept());
        ASSERT_NO_FATAL_FAILURE(expect_clusters_cover(lists, sorted));
        for (const Cluster& c : lists.clusters())
            ASSERT_NO_FATAL_FAILURE(expect_entries_belong(lists, sorted, c));
        if (round == 0) reserved = memory_by_name()["neighbour lists"];
    }
    EXPECT_LE(memory_by_name()["neighbour lists"], 2 * reserved);
}

/// Particles that see nobody cost little, wherever they are: no cell tables, no bounding grid.
TEST(ClusterListsTest, spray_over_1e5_cells_costs_less_than_a_kilobyte_per_particle) {
    constexpr std::size_t n = 10000;
    constexpr std::size_t bytes_per_particle = 1000;
    const ThreadLimit limit(2);
    const std::size_t before = memory_in_use();
    const SortedPoints sorted(random_points(60, n, {-5e4f, -5e4f, -5e4f}, {1e5f, 1e5f, 1e5f}));
    ClusterLists lists;
    lists.build(sorted.grid, sorted.x.data(), sorted.kept());
    EXPECT_EQ(sorted.kept(), n);
    EXPECT_EQ(memory_by_name().count("row tables"), 0u);
    EXPECT_LT(memory_in_use() - before, n * bytes_per_particle);
}

TEST(ClusterListsTest, piled_up_particles_end_in_a_diverged_error) {
    // One more than fit a piece of list memory with the four entries of padding.
    constexpr std::size_t n = list_piece - 3;
    const SortedPoints sorted(Points(n, Vec3f{1, 2, 3}));
    ClusterLists lists;
    for (int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        EXPECT_THROW(lists.build(sorted.grid, sorted.x.data(), sorted.kept()), DivergedError);
    }
    // The lists stay usable.
    const SortedPoints calm(random_points(61, 1000, {0, 0, 0}, {5, 5, 5}));
    lists.build(calm.grid, calm.x.data(), calm.kept());
    for (const Cluster& c : lists.clusters())
        ASSERT_NO_FATAL_FAILURE(expect_entries_belong(lists, calm, c));
}

}  // namespace
}  // namespace spindrift::neighbors
