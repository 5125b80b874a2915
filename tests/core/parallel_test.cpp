#include "spindrift/core/parallel.h"

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 4};

/// A sum that any other order of the additions changes.
float uneven_sum(std::size_t n) {
    return parallel_sum<float>(n, [](Range range) {
        float sum = 0;
        for (std::size_t i : range)
            sum += (uniform(hash_counter(1, i, 0)) - 0.3f) * (i % 7 == 0 ? 1e6f : 1e-3f);
        return sum;
    });
}

TEST(ParallelTest, float_sums_have_the_same_bits_for_one_to_four_threads) {
    constexpr std::size_t n = 300007;
    std::vector<float> sums;
    for (int threads : thread_counts) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(thread_count(), threads);
        for (int repeat = 0; repeat < 5; ++repeat)
            sums.push_back(uneven_sum(n));
    }
    for (float sum : sums)
        EXPECT_EQ(std::memcmp(&sum, sums.data(), sizeof sum), 0);
}

TEST(ParallelTest, varied_chunks_change_a_plain_sum_and_visit_every_index_once) {
    const float plain = uneven_sum(300007);
    bool differs = false;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const VariedChunks varied(seed);
        differs |= uneven_sum(300007) != plain;
        std::vector<int> visits(12345, 0);
        parallel_for(visits.size(), 10, [&](Range range) {
            for (const std::size_t i : range)
                visits[i] += 1;
        });
        EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
    }
    EXPECT_TRUE(differs);
    EXPECT_EQ(uneven_sum(300007), plain);
}

TEST(ParallelTest, reduction_combines_from_left_to_right) {
    for (int threads : thread_counts) {
        const ThreadLimit limit(threads);
        const std::string text = parallel_reduce(
            std::size_t{26}, 3, std::string(">"),
            [](Range range) {
                std::string part;
                for (std::size_t i : range)
                    part += static_cast<char>('a' + i);
                return part;
            },
            [](const std::string& a, const std::string& b) { return a + b; });
        EXPECT_EQ(text, ">abcdefghijklmnopqrstuvwxyz");
    }
}

TEST(ParallelTest, every_index_is_visited_once_in_ranges_no_longer_than_a_chunk) {
    for (std::size_t n : {0u, 1u, 99u, 100u, 101u, 12345u}) {
        std::vector<int> visits(n, 0);
        std::atomic<bool> too_long = false;
        parallel_for(n, 100, [&](Range range) {
            if (range.size() > 100) too_long = true;
            for (std::size_t i : range)
                visits[i] += 1;
        });
        EXPECT_FALSE(too_long);
        for (int count : visits)
            ASSERT_EQ(count, 1);
    }
}

TEST(ParallelTest, nothing_is_reduced_to_zero) {
    EXPECT_EQ(parallel_sum<int>(0, [](Range) { return 1; }), 0);
}

TEST(ParallelTest, loops_can_be_nested) {
    for (int threads : thread_counts) {
        const ThreadLimit limit(threads);
        std::atomic<std::size_t> total = 0;
        parallel_for(50, 1, [&](Range outer) {
            const auto inner = parallel_sum<std::size_t>(10000, [](Range range) { return range.size(); });
            total += inner * outer.size();
        });
        EXPECT_EQ(total, 500000u);
    }
}

TEST(ParallelTest, exceptions_reach_the_caller_and_later_loops_work) {
    for (int threads : thread_counts) {
        const ThreadLimit limit(threads);
        const auto loop = [] {
            parallel_for(1000, 10, [](Range range) {
                if (range.first == 500) throw std::out_of_range("index 500");
            });
        };
        EXPECT_THROW(loop(), std::out_of_range);
        EXPECT_EQ(uneven_sum(1000), uneven_sum(1000));
    }
}

TEST(ParallelTest, thread_indices_stay_below_the_thread_count) {
    for (int threads : thread_counts) {
        const ThreadLimit limit(threads);
        std::atomic<int> largest = 0;
        parallel_for(2000, 1, [&](Range) {
            const int index = thread_index();
            for (int seen = largest; index > seen && !largest.compare_exchange_weak(seen, index);) {
            }
        });
        EXPECT_LT(largest, threads);
    }
}

TEST(ParallelTest, a_thread_limit_ends_with_its_scope) {
    const int outside = thread_count();
    {
        const ThreadLimit three(3);
        {
            const ThreadLimit one(1);
            EXPECT_EQ(thread_count(), 1);
        }
        EXPECT_EQ(thread_count(), 3);
    }
    EXPECT_EQ(thread_count(), outside);
    const ThreadLimit all(0);
    EXPECT_EQ(thread_count(), outside);
}

}  // namespace
}  // namespace spindrift
