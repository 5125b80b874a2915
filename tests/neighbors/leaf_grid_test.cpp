#include "spindrift/neighbors/leaf_grid.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

#include "sorted_points.h"
#include <gtest/gtest.h>

#include "spindrift/core/parallel.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::neighbors {
namespace {

bool same_bits(const Float4& a, const Float4& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_bits(const std::vector<Float4>& a, const std::vector<Float4>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Float4)) == 0;
}

int floor_int(double a) {
    return static_cast<int>(std::floor(a));
}

Vec3i leaf_of(const Float4& p) {
    return {floor_int(p.x / 8.0), floor_int(p.y / 8.0), floor_int(p.z / 8.0)};
}

/// Bin of a particle in its leaf: row z, row y, quarter cell x; computed in doubles, where these steps are exact.
int bin_of(const Float4& p) {
    const Vec3i leaf = leaf_of(p);
    return (floor_int(p.z) - 8 * leaf.z) * 256 + (floor_int(p.y) - 8 * leaf.y) * 32 + floor_int(4.0 * p.x) -
           32 * leaf.x;
}

/// Whether a comes before b on the Z-curve: the axis whose offset coordinates differ in the highest bit decides, z
/// first.
bool before_on_z_curve(Vec3i a, Vec3i b) {
    std::uint32_t highest = 0;
    int axis = 2;
    for (int c : {2, 1, 0}) {
        const auto difference = static_cast<std::uint32_t>((a[c] + (1 << 20)) ^ (b[c] + (1 << 20)));
        if (std::bit_width(difference) > std::bit_width(highest)) {
            highest = difference;
            axis = c;
        }
    }
    return a[axis] < b[axis];
}

/// A dense block over several leaves around the origin, and spray around it.
Points block_and_spray() {
    Points points = random_points(1, 60000, {-10, -7, -9}, {20, 18, 16});
    const Points spray = random_points(2, 500, {-300, -300, -300}, {600, 600, 600});
    points.insert(points.end(), spray.begin(), spray.end());
    return points;
}

void expect_every_particle_once(const SortedPoints& sorted, const Points& points) {
    std::vector<int> seen(points.size(), 0);
    const std::vector<Float4> v = numbered_velocities(points.size());
    for (std::size_t i = 0; i < sorted.kept(); ++i) {
        const std::uint32_t number = number_of(sorted.v[i]);
        ASSERT_LT(number, points.size());
        seen[number] += 1;
        ASSERT_EQ(sorted.x[i].xyz(), points[number]);
        ASSERT_TRUE(same_bits(sorted.v[i], v[number]));
    }
    for (int count : seen)
        ASSERT_EQ(count, 1);
}

TEST(LeafGridTest, sorting_keeps_every_particle_exactly_once) {
    const Points points = block_and_spray();
    const SortedPoints sorted(points);
    EXPECT_EQ(sorted.kept(), points.size());
    EXPECT_EQ(sorted.result.escaped + sorted.result.not_finite, 0u);
    expect_every_particle_once(sorted, points);
}

TEST(LeafGridTest, leaves_follow_the_z_curve_and_cover_all_particles) {
    const SortedPoints sorted(block_and_spray());
    std::uint32_t first = 0;
    const std::span<const Leaf> leaves = sorted.grid.leaves();
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        ASSERT_EQ(leaves[l].first, first);
        ASSERT_GT(leaves[l].count, 0u);
        ASSERT_TRUE(l == 0 || before_on_z_curve(leaves[l - 1].coord, leaves[l].coord));
        for (std::uint32_t i = first; i < first + leaves[l].count; ++i)
            ASSERT_EQ(leaf_of(sorted.x[i]), leaves[l].coord);
        first += leaves[l].count;
    }
    EXPECT_EQ(first, sorted.kept());
}

TEST(LeafGridTest, rows_ascend_inside_a_leaf_and_equal_bins_keep_their_order) {
    const SortedPoints sorted(block_and_spray());
    for (const Leaf& leaf : sorted.grid.leaves()) {
        for (std::uint32_t i = leaf.first + 1; i < leaf.first + leaf.count; ++i) {
            const int before = bin_of(sorted.x[i - 1]), bin = bin_of(sorted.x[i]);
            ASSERT_LE(before, bin);
            ASSERT_TRUE(before < bin || number_of(sorted.v[i - 1]) < number_of(sorted.v[i]));
        }
    }
}

TEST(LeafGridTest, row_tables_say_where_each_bin_begins) {
    const SortedPoints sorted(block_and_spray());
    const GridView view = sorted.grid.view();
    std::size_t tables = 0;
    for (const Leaf& leaf : sorted.grid.leaves()) {
        if (leaf.table < 0) continue;
        ++tables;
        const std::uint32_t* table = view.table(leaf);
        ASSERT_EQ(table[0], leaf.first);
        ASSERT_EQ(table[bins_per_leaf], leaf.first + leaf.count);
        for (int bin = 0; bin < bins_per_leaf; ++bin) {
            ASSERT_LE(table[bin], table[bin + 1]);
            for (std::uint32_t i = table[bin]; i < table[bin + 1]; ++i)
                ASSERT_EQ(bin_of(sorted.x[i]), bin);
        }
    }
    EXPECT_GT(tables, 8u);
}

TEST(LeafGridTest, only_leaves_of_64_particles_and_more_have_a_table) {
    Points points = random_points(3, dense_leaf - 1, {0, 0, 0}, {8, 8, 8});
    const Points dense = random_points(4, dense_leaf, {8, 0, 0}, {8, 8, 8});
    points.insert(points.end(), dense.begin(), dense.end());
    const SortedPoints sorted(points);
    ASSERT_EQ(sorted.grid.leaves().size(), 2u);
    EXPECT_EQ(sorted.grid.leaves()[0].table, -1);
    EXPECT_EQ(sorted.grid.leaves()[1].table, 0);
}

TEST(LeafGridTest, neighbour_links_lead_to_the_27_leaves_around) {
    const SortedPoints sorted(block_and_spray());
    const std::span<const Leaf> leaves = sorted.grid.leaves();
    std::map<std::tuple<int, int, int>, std::int32_t> by_coord;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        by_coord[{leaves[l].coord.x, leaves[l].coord.y, leaves[l].coord.z}] = static_cast<std::int32_t>(l);
    }
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        for (int k = 0; k < 27; ++k) {
            const Vec3i c = leaves[l].coord + Vec3i{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const auto found = by_coord.find({c.x, c.y, c.z});
            ASSERT_EQ(sorted.grid.view().neighbors[27 * l + static_cast<std::size_t>(k)],
                      found == by_coord.end() ? -1 : found->second);
        }
    }
}

TEST(LeafGridTest, order_is_the_same_for_one_to_four_threads) {
    const Points points = block_and_spray();
    const SortedPoints alone = [&] {
        const ThreadLimit limit(1);
        return SortedPoints(points);
    }();
    for (int threads : {2, 3, 4}) {
        const ThreadLimit limit(threads);
        const SortedPoints sorted(points);
        EXPECT_TRUE(same_bits(sorted.x, alone.x)) << threads << " threads";
        EXPECT_TRUE(same_bits(sorted.v, alone.v)) << threads << " threads";
    }
}

TEST(LeafGridTest, sorting_sorted_particles_changes_nothing) {
    const SortedPoints once(block_and_spray());
    const std::vector<Float4> x(once.x.begin(), once.x.end() - cluster_size);
    const SortedPoints twice(x, once.v);
    EXPECT_TRUE(same_bits(twice.x, once.x));
    EXPECT_TRUE(same_bits(twice.v, once.v));
}

TEST(LeafGridTest, a_grid_can_be_used_again_for_fewer_and_for_no_particles) {
    LeafGrid grid;
    for (std::size_t n : {std::size_t{50000}, std::size_t{3}, std::size_t{0}, std::size_t{20000}}) {
        const std::vector<Float4> x = positions_of(random_points(n, n, {0, 0, 0}, {20, 20, 20}));
        const std::vector<Float4> v = numbered_velocities(n);
        std::vector<Float4> x_sorted(n + 1), v_sorted(n + 1);
        EXPECT_EQ(grid.sort(n, x.data(), v.data(), x_sorted.data(), v_sorted.data()).kept, n);
        std::size_t total = 0;
        for (const Leaf& leaf : grid.leaves())
            total += leaf.count;
        EXPECT_EQ(total, n);
    }
}

TEST(LeafGridTest, unusable_and_dead_particles_are_dropped_and_counted) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    std::vector<Float4> x = positions_of(random_points(5, 200, {-3, -3, -3}, {6, 6, 6}));
    std::vector<Float4> v = numbered_velocities(x.size());
    x[10].x = nan;
    x[11].y = infinity;
    x[12].z = -infinity;
    x[13].x = coordinate_limit;
    x[14].y = -coordinate_limit;
    x[15].z = 1e30f;
    x[16] = {nan, 1e30f, 0, 0};
    for (std::size_t dead : {20, 21, 22})
        v[dead].w = std::bit_cast<float>(number_of(v[dead]) | ParticleStore::dead_bit);
    x[22].x = nan;

    const SortedPoints sorted(x, v);
    EXPECT_EQ(sorted.result.not_finite, 4u);
    EXPECT_EQ(sorted.result.escaped, 3u);
    EXPECT_EQ(sorted.kept(), x.size() - 10);
    for (const Float4& velocity : sorted.v) {
        const std::uint32_t number = number_of(velocity);
        EXPECT_FALSE((number >= 10 && number <= 16) || (number >= 20 && number <= 22)) << number;
    }
}

TEST(LeafGridTest, particles_just_inside_the_limit_are_kept) {
    const float last = std::nextafter(coordinate_limit, 0.f);
    const SortedPoints sorted(Points{{last, -last, last}, {-last, last, -last}, {0, 0, 0}});
    EXPECT_EQ(sorted.kept(), 3u);
    for (const Leaf& leaf : sorted.grid.leaves())
        EXPECT_EQ(leaf_of(sorted.x[leaf.first]), leaf.coord);
}

TEST(LeafGridTest, numbers_a_hair_below_zero_belong_to_the_cell_below) {
    const SortedPoints sorted(Points{{-1e-30f, 0, 0}, {-0.f, -0.f, -0.f}});
    ASSERT_EQ(sorted.grid.leaves().size(), 2u);
    EXPECT_EQ(sorted.grid.leaves()[0].coord, (Vec3i{-1, 0, 0}));
    EXPECT_EQ(sorted.grid.leaves()[1].coord, (Vec3i{0, 0, 0}));
}

}  // namespace
}  // namespace spindrift::neighbors
