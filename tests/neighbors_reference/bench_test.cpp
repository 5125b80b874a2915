#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "spindrift/neighbors/reference/neighbor_bench.h"

namespace spindrift::neighbors::reference {
namespace {

// A few thousand particles: only that the rows are there and mean what they say, not how fast anything is.
constexpr std::size_t particles = 5000;

TEST(NeighborBench, times_both_searches_on_the_same_pairs_at_the_neighbour_counts_asked_for) {
    const std::array targets = {2., 30.};
    const auto rows = time_reference_searches(particles, targets);
    ASSERT_EQ(rows.size(), 2 * targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
        const NeighborTiming &hash = rows[2 * t], &cells = rows[2 * t + 1];
        EXPECT_EQ(hash.method, "spatial hash");
        EXPECT_EQ(cells.method, "cell sort");
        EXPECT_EQ(hash.mean_neighbors, cells.mean_neighbors);
        EXPECT_NEAR(cells.mean_neighbors, targets[t], 0.02 * targets[t]) << "the radius is corrected three times";
        for (const double ns : {hash.build_ns, hash.traverse_ns, cells.build_ns, cells.traverse_ns})
            EXPECT_GT(ns, 0);
    }
}

TEST(NeighborBench, times_sorts_at_the_mover_shares_asked_for) {
    const std::array shares = {0.01, 0.2};
    const auto rows = time_sorts(particles, shares);
    ASSERT_EQ(rows.size(), shares.size());
    for (std::size_t s = 0; s < shares.size(); ++s) {
        const double noise = 4 * std::sqrt(shares[s] / particles);  // four standard deviations of the draw
        EXPECT_NEAR(rows[s].mover_share, shares[s], noise);
        for (const double ns : {rows[s].full_ns, rows[s].coherent_ns, rows[s].reorder_ns})
            EXPECT_GT(ns, 0);
    }
}

}  // namespace
}  // namespace spindrift::neighbors::reference
