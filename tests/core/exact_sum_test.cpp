#include "spindrift/core/exact_sum.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of all sizes and both signs: 60 orders of magnitude.
std::vector<double> uneven_numbers(std::size_t n, std::uint64_t seed) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double size = static_cast<double>(uniform(hash_counter(seed, i, 0))) - 0.5;
        values[i] = std::ldexp(size, static_cast<int>(hash_counter(seed, i, 1) % 200) - 100);
    }
    return values;
}

void shuffle(std::vector<double>& values, std::uint64_t seed) {
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[hash_counter(seed, i, 2) % i]);
}

double sum_of(const std::vector<double>& values) {
    ExactSum sum;
    for (const double value : values)
        sum.add(value);
    return sum.value();
}

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

TEST(ExactSum, has_the_same_bits_in_any_order_where_a_plain_sum_has_not) {
    std::vector<double> values = uneven_numbers(20000, 1);
    const double exact = sum_of(values), plain = std::accumulate(values.begin(), values.end(), 0.0);
    bool plain_differs = false;
    for (std::uint64_t seed = 2; seed < 10; ++seed) {
        shuffle(values, seed);
        EXPECT_EQ(bits(sum_of(values)), bits(exact));
        plain_differs |= std::accumulate(values.begin(), values.end(), 0.0) != plain;
    }
    EXPECT_TRUE(plain_differs);
}

TEST(ExactSum, of_parts_in_any_grouping_is_that_of_the_whole) {
    const std::vector<double> values = uneven_numbers(20000, 3);
    const double whole = sum_of(values);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        ExactSum total;
        for (std::size_t first = 0; first < values.size();) {
            const std::size_t last = std::min(values.size(), first + 1 + hash_counter(seed, first, 0) % 5000);
            ExactSum part;
            for (; first < last; ++first)
                part.add(values[first]);
            total += part;
        }
        EXPECT_EQ(bits(total.value()), bits(whole));
    }
    EXPECT_EQ(bits(exact_total(values)), bits(whole));
}

TEST(ExactSum, is_the_nearest_double_to_the_sum) {
    // The 53 bits of integers below 2^53 hold their sum exactly; long doubles have 64.
    std::vector<double> integers;
    std::int64_t sum = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const auto value = static_cast<std::int64_t>(hash_counter(7, i, 0) >> 25) - (std::int64_t{1} << 38);
        integers.push_back(static_cast<double>(value));
        sum += value;
    }
    EXPECT_EQ(sum_of(integers), static_cast<double>(sum));
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::vector<double> few = uneven_numbers(2, 100 + i);
        // A sum of two is what the processor rounds itself.
        EXPECT_EQ(bits(sum_of(few)), bits(few[0] + few[1]));
    }
}

TEST(ExactSum, rounds_ties_to_even_and_everything_beyond_a_tie_up) {
    const double one = 1, half_bit = 0x1p-53;
    EXPECT_EQ(sum_of({one, half_bit}), one);
    EXPECT_EQ(sum_of({one + 0x1p-52, half_bit}), one + 0x1p-51);
    EXPECT_EQ(sum_of({one, half_bit, 0x1p-1074}), one + 0x1p-52);
    EXPECT_EQ(sum_of({-one, -half_bit, -0x1p-1074}), -one - 0x1p-52);
    EXPECT_EQ(sum_of({one, half_bit, -0x1p-1074}), one);
}

TEST(ExactSum, survives_cancellation_and_the_ends_of_the_range) {
    EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
    EXPECT_EQ(sum_of({0x1p-1074, 0x1p-1074, -0x1p-1073}), 0);
    EXPECT_EQ(sum_of({0x1p-1074, 0x1p-1022}), 0x1p-1022 + 0x1p-1074);
    EXPECT_EQ(sum_of({3 * 0x1p-1074, -0x1p-1074}), 0x1p-1073);
    const double largest = std::numeric_limits<double>::max();
    EXPECT_EQ(sum_of({largest, largest, -largest}), largest);
    EXPECT_EQ(sum_of({largest, largest}), infinity);
    EXPECT_EQ(sum_of({-largest, -largest}), -infinity);
    EXPECT_EQ(bits(sum_of({-0.0})), bits(0.0));
    EXPECT_EQ(sum_of({}), 0);
}

TEST(ExactSum, of_what_is_not_finite_is_what_a_plain_sum_is) {
    EXPECT_EQ(sum_of({1, infinity}), infinity);
    EXPECT_EQ(sum_of({-infinity, 1e300}), -infinity);
    EXPECT_TRUE(std::isnan(sum_of({infinity, 1, -infinity})));
    EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")})));
}

TEST(ExactSum, begins_anew_when_it_is_cleared) {
    ExactSum sum;
    for (const double value : {1e300, -1e-300, infinity, std::nan("")})
        sum.add(value);
    sum.clear();
    sum.add(0.25);
    EXPECT_EQ(sum.value(), 0.25);
}

TEST(ExactSum, of_loops_does_not_depend_on_chunks) {
    const std::vector<double> values = uneven_numbers(70000, 5);
    const auto body = [&](std::size_t i) { return std::array{values[i], -values[i] / 3}; };
    const auto plain = exact_sums<2>(values.size(), 16, body);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const VariedChunks varied(seed);
        EXPECT_EQ((exact_sums<2>(values.size(), 16, body)), plain);
        EXPECT_EQ((exact_item_sums<2>(values.size(), body)), plain);
    }
}

}  // namespace
}  // namespace spindrift
