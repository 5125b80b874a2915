#include <limits>
#include <stdexcept>

#include "point_sets.h"
#include <gtest/gtest.h>

#include "spindrift/neighbors/reference/brute_force.h"
#include "spindrift/neighbors/reference/cell_sort.h"
#include "spindrift/neighbors/reference/spatial_hash.h"

namespace spindrift::neighbors::reference {
namespace {

template <class Search>
PairLists pairs_of(const std::vector<Vec3f>& x, float h) {
    Search search;
    search.build(x, h);
    return list_pairs(search);
}

template <class Search>
class PairSearch : public testing::Test {};

using Searches = testing::Types<SpatialHash, CellSort>;
TYPED_TEST_SUITE(PairSearch, Searches);

TYPED_TEST(PairSearch, reports_the_pairs_of_brute_force) {
    for (const PointSet& set : point_sets()) {
        EXPECT_EQ(pairs_of<TypeParam>(set.x, set.h), pairs_of<BruteForce>(set.x, set.h)) << set.name;
    }
}

TYPED_TEST(PairSearch, reports_the_pairs_of_brute_force_for_any_ratio_of_radius_and_box) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Vec3f corner = (random_vec(seed, 0) - Vec3f{0.5f, 0.5f, 0.5f}) * 100.f;
        const auto x = random_points(seed, 300, corner, random_vec(seed, 1) + Vec3f{0.1f, 0.1f, 0.1f});
        const float h = 0.02f + 0.3f * random_vec(seed, 2).x;
        EXPECT_EQ(pairs_of<TypeParam>(x, h), pairs_of<BruteForce>(x, h)) << "seed " << seed;
    }
}

TYPED_TEST(PairSearch, forgets_the_last_particles_when_built_again) {
    TypeParam search;
    for (const PointSet& set : point_sets()) {
        search.build(set.x, set.h);
        EXPECT_EQ(list_pairs(search), pairs_of<BruteForce>(set.x, set.h)) << set.name;
    }
}

TYPED_TEST(PairSearch, sums_what_it_lists) {
    const auto x = random_points(11, 800, {0, 0, 0}, {1, 1, 1});
    TypeParam search;
    search.build(x, 0.1f);
    const PairLists lists = list_pairs(search);
    double r2 = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (const std::uint32_t j : lists.of(i))
            r2 += static_cast<double>(distance_squared(x[i], x[j]));
    }
    const PairSum sum = sum_pairs(search);
    EXPECT_EQ(sum.pairs, lists.neighbours.size());
    EXPECT_NEAR(sum.r2, r2, 1e-12 * r2) << "the same terms in another order";
}

TYPED_TEST(PairSearch, refuses_positions_that_no_cell_can_hold) {
    TypeParam search;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (const Vec3f bad :
         {Vec3f{nan, 0, 0}, Vec3f{0, nan, 0}, Vec3f{0, 0, nan}, Vec3f{0, inf, 0}, Vec3f{0, 0, 1e30f}}) {
        EXPECT_THROW(search.build(std::vector<Vec3f>{bad, {0, 0, 0}}, 0.1f), std::length_error);
        EXPECT_THROW(search.build(std::vector<Vec3f>{{0, 0, 0}, bad}, 0.1f), std::length_error);
    }
}

TEST(CellSort, refuses_a_box_with_more_cells_than_keys) {
    CellSort search;
    const std::vector<Vec3f> x = {{0, 0, 0}, {1e6f, 1e6f, 1e6f}};
    EXPECT_THROW(search.build(x, 1e-2f), std::length_error);
    EXPECT_NO_THROW(search.build(x, 1));
}

TEST(BruteForce, does_not_count_a_distance_of_exactly_h) {
    const std::vector<Vec3f> x = {{0, 0, 0}, {0.5f, 0, 0}, {0.5f, 0.25f, 0}};
    const PairLists lists = pairs_of<BruteForce>(x, 0.5f);
    EXPECT_EQ(lists.first, (std::vector<std::uint32_t>{0, 0, 1, 2}));
    EXPECT_EQ(lists.neighbours, (std::vector<std::uint32_t>{2, 1}));
}

}  // namespace
}  // namespace spindrift::neighbors::reference
