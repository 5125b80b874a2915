#include <numeric>
#include <stdexcept>

#include "point_sets.h"
#include <gtest/gtest.h>

#include "spindrift/neighbors/reference/coherent_sort.h"

namespace spindrift::neighbors::reference {
namespace {

std::vector<std::uint32_t> places(const CellOrder& order) {
    std::vector<std::uint32_t> result(order.size());
    for (std::size_t p = 0; p < order.size(); ++p)
        result[p] = order.place(p);
    return result;
}

std::vector<std::uint32_t> stable_places(const CellGrid& grid, const std::vector<Vec3f>& x) {
    std::vector<std::uint32_t> result(x.size());
    std::iota(result.begin(), result.end(), 0u);
    std::stable_sort(result.begin(), result.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return grid.key(x[a]) < grid.key(x[b]); });
    return result;
}

std::vector<Vec3f> reordered(const CellOrder& order, const std::vector<Vec3f>& x) {
    std::vector<Vec3f> result(x.size());
    for (std::size_t p = 0; p < x.size(); ++p)
        result[p] = x[order.place(p)];
    return result;
}

/// The coherent order of x is the full one and that of the standard library.
const CellOrder& expect_stable_order(CoherentSort& sorter, const std::vector<Vec3f>& x, float h,
                                     const std::string& what) {
    const CellOrder& order = sorter.sort(x, h);
    CellOrder full;
    full.sort(sorter.grid(), x);
    EXPECT_EQ(order, full) << what;
    EXPECT_EQ(places(order), stable_places(sorter.grid(), x)) << what;
    return order;
}

/// A share of the particles takes a step of up to `reach` along each axis.
void move_share(std::vector<Vec3f>& x, double share, float reach, std::uint64_t step) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (uniform(hash_counter(step, i, 7)) >= static_cast<float>(share)) continue;
        x[i] += (random_vec(step + 100, i) - Vec3f{0.5f, 0.5f, 0.5f}) * (2 * reach);
    }
}

TEST(RadixSort, sorts_by_the_bits_it_is_given_and_keeps_the_order_of_equals) {
    for (const int bits : {0, 1, 7, 11, 12, 23, 44}) {
        std::vector<std::uint64_t> items(3000), scratch;
        for (std::size_t i = 0; i < items.size(); ++i)
            items[i] = (hash_counter(1, i, 0) >> (64 - bits / 2 - 1)) << 20 | i;
        std::vector<std::uint64_t> expected = items;
        const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << 20;
        std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return (a & mask) < (b & mask); });
        radix_sort(items, scratch, 20, 20 + bits);
        EXPECT_EQ(items, expected) << bits << " bits";
    }
}

TEST(CellOrder, is_the_stable_order_of_the_cells) {
    for (const PointSet& set : point_sets()) {
        const CellGrid grid(set.x, set.h);
        CellOrder order;
        order.sort(grid, set.x);
        EXPECT_EQ(places(order), stable_places(grid, set.x)) << set.name;
    }
}

TEST(CellGrid, holds_every_particle_it_was_made_for) {
    for (const PointSet& set : point_sets()) {
        for (const int margin : {0, 3}) {
            const CellGrid grid(set.x, set.h, margin);
            for (const Vec3f x : set.x)
                ASSERT_TRUE(grid.contains(x)) << set.name;
        }
    }
}

TEST(CellGrid, does_not_hold_what_lies_just_outside) {
    const std::vector<Vec3f> x = {{0, 0, 0}, {1, 1, 1}};
    const CellGrid grid(x, 0.1f);
    for (const Vec3f outside : {Vec3f{-0.01f, 0, 0}, Vec3f{0, -0.01f, 0}, Vec3f{0, 0, -0.15f}, Vec3f{1.3f, 0, 0}}) {
        EXPECT_FALSE(grid.contains(outside));
    }
}

TEST(CoherentSort, equals_the_full_sort_over_20_steps_for_any_share_of_movers) {
    const float h = 0.1f;
    for (const double share : {0., 0.01, 0.05, 0.2, 0.6, 1.}) {
        CoherentSort sorter;
        std::vector<Vec3f> x = random_points(21, 4000, {-1, 3, 0}, {1, 1, 1});
        for (std::uint64_t step = 0; step < 20; ++step) {
            const std::string what = "share " + std::to_string(share) + ", step " + std::to_string(step);
            x = reordered(expect_stable_order(sorter, x, h, what), x);
            const bool coherent = step > 0 && share <= 0.2;
            EXPECT_LE(sorter.movers(), coherent ? x.size() / 4 : x.size()) << what;
            move_share(x, share, h, step);
        }
    }
}

TEST(CoherentSort, sorts_only_the_particles_that_changed_their_cell) {
    CoherentSort sorter;
    std::vector<Vec3f> x = random_points(22, 4000, {0, 0, 0}, {1, 1, 1});
    x = reordered(sorter.sort(x, 0.1f), x);
    EXPECT_EQ(sorter.movers(), x.size()) << "the first sort is a full one";
    sorter.sort(x, 0.1f);
    EXPECT_EQ(sorter.movers(), 0u);
    x[7].x += 0.11f;
    sorter.sort(x, 0.1f);
    EXPECT_EQ(sorter.movers(), 1u);
}

TEST(CoherentSort, follows_particles_out_of_its_grid) {
    CoherentSort sorter;
    std::vector<Vec3f> x = random_points(23, 1000, {0, 0, 0}, {1, 1, 1});
    for (int step = 0; step < 20; ++step) {
        x = reordered(expect_stable_order(sorter, x, 0.1f, "step " + std::to_string(step)), x);
        for (Vec3f& p : x)
            p += Vec3f{0.23f, -0.31f, 0.17f};
    }
}

TEST(CoherentSort, accepts_particles_that_appear_vanish_or_come_in_another_order) {
    CoherentSort sorter;
    std::vector<Vec3f> x = random_points(24, 1000, {0, 0, 0}, {1, 1, 1});
    expect_stable_order(sorter, x, 0.1f, "first");
    expect_stable_order(sorter, x, 0.1f, "not reordered");
    const auto more = random_points(25, 1100, {0, 0, 0}, {1, 1, 1});
    x.insert(x.end(), more.begin(), more.end());
    expect_stable_order(sorter, x, 0.1f, "more than twice as many");
    x.erase(x.begin() + 100, x.begin() + 1900);
    expect_stable_order(sorter, x, 0.1f, "most gone");
    expect_stable_order(sorter, x, 0.07f, "another radius");
    expect_stable_order(sorter, {}, 0.07f, "none left");
    expect_stable_order(sorter, x, 0.07f, "back again");
}

TEST(CoherentSort, stays_usable_after_it_refused_a_set) {
    CoherentSort sorter;
    const std::vector<Vec3f> x = random_points(26, 500, {0, 0, 0}, {1, 1, 1});
    sorter.sort(x, 0.1f);
    EXPECT_THROW(sorter.sort(std::vector<Vec3f>{{0, 0, 0}, {1e30f, 0, 0}}, 0.2f), std::length_error);
    expect_stable_order(sorter, x, 0.2f, "after the refusal");
}

}  // namespace
}  // namespace spindrift::neighbors::reference
