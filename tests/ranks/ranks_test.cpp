// What ranks tell each other: messages, sums and the values around their own.

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/ranks/cuts.h"
#include "spindrift/ranks/halo.h"
#include "spindrift/ranks/threads.h"

namespace spindrift::ranks {
namespace {

TEST(Ranks, one_alone_has_everything) {
    double value = 3;
    alone().most({&value, 1});
    EXPECT_EQ(value, 3);
    EXPECT_TRUE(alone().exchange({}).empty());
    Halo halo;
    halo.refresh(&value);
    EXPECT_EQ(value, 3);
}

TEST(Ranks, messages_arrive_by_rank_in_every_round) {
    constexpr int count = 5, rounds = 50;
    run_as_threads(count, [&](Ranks& ranks) {
        for (int round = 0; round < rounds; ++round) {
            // To every rank above, as many bytes as the sender and the round say.
            std::vector<Message> out;
            for (int to = ranks.rank() + 1; to < count; ++to)
                out.push_back({to, std::vector<std::byte>(static_cast<std::size_t>(ranks.rank() + round))});
            const std::vector<Message> in = ranks.exchange(std::move(out));
            ASSERT_EQ(in.size(), static_cast<std::size_t>(ranks.rank()));
            for (std::size_t k = 0; k < in.size(); ++k) {
                EXPECT_EQ(in[k].rank, static_cast<int>(k));
                EXPECT_EQ(in[k].bytes.size(), k + static_cast<std::size_t>(round));
            }
        }
    });
}

TEST(Ranks, sums_have_the_bits_of_one_rank_for_any_number_of_them) {
    std::vector<double> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::ldexp(static_cast<double>(uniform(hash_counter(7, i, 0))) - 0.5, static_cast<int>(i % 90));
    const double whole = exact_total(values);
    for (const int count : {1, 2, 3, 7}) {
        run_as_threads(count, [&](Ranks& ranks) {
            // Ranges of very unlike lengths, some of them empty.
            const auto border = [&](int rank) {
                return values.size() * static_cast<std::size_t>(rank * rank) / static_cast<std::size_t>(count * count);
            };
            const Range own{border(ranks.rank()), border(ranks.rank() + 1)};
            const auto [total] =
                exact_sums<1>(ranks, own.size(), 8, [&](std::size_t k) { return std::array{values[own.first + k]}; });
            EXPECT_EQ(total, whole) << count;
        });
    }
}

TEST(Ranks, largest_numbers_counts_and_bits_are_those_of_all) {
    run_as_threads(4, [](Ranks& ranks) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        double most[] = {static_cast<double>(-ranks.rank()), ranks.rank() == 2 ? nan : 1};
        ranks.most(most);
        EXPECT_EQ(most[0], 0);
        EXPECT_TRUE(std::isnan(most[1])) << "a wrong number must not get lost";
        std::uint64_t count = static_cast<std::uint64_t>(ranks.rank()), bits = std::uint64_t{1} << ranks.rank();
        ranks.sum({&count, 1});
        ranks.any({&bits, 1});
        EXPECT_EQ(count, 6u);
        EXPECT_EQ(bits, 15u);
    });
}

TEST(Ranks, the_error_of_one_ends_all) {
    std::atomic<int> ended = 0;
    const auto work = [&](Ranks& ranks) {
        if (ranks.rank() == 1) throw std::runtime_error("no more disk");
        try {
            for (;;)
                ranks.exchange({});
        } catch (const Error&) {
            ended += 1;
            throw;
        }
    };
    try {
        run_as_threads(3, work);
        FAIL() << "the error got lost";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "no more disk");
    }
    EXPECT_EQ(ended, 2);
}

TEST(Cuts, each_key_has_one_owner) {
    const Cuts cuts{{0, 10, 10, 30}};
    EXPECT_EQ(cuts.owner(0), 0);
    EXPECT_EQ(cuts.owner(9), 0);
    EXPECT_EQ(cuts.owner(10), 2) << "a rank without leaves owns none";
    EXPECT_EQ(cuts.owner(29), 2);
    EXPECT_EQ(cuts.owner(1u << 30), 3);
    EXPECT_EQ(Cuts{}.owner(77), 0);
}

TEST(Halo, ghosts_have_their_owners_values) {
    struct Item {
        float a, b;
    };
    // Ring of three: each owns four items between a ghost of the last of the rank before and the first of the next.
    run_as_threads(3, [](Ranks& ranks) {
        const int before = (ranks.rank() + 2) % 3, next = (ranks.rank() + 1) % 3;
        Halo halo(ranks);
        halo.add(before, {1}, {0, 1});
        halo.add(next, {4}, {5, 6});
        std::vector<Item> items(6);
        for (std::size_t k = 1; k <= 4; ++k)
            items[k] = {static_cast<float>(10 * ranks.rank()) + static_cast<float>(k), -1};
        halo.refresh(items.data());
        EXPECT_EQ(items[0].a, static_cast<float>(10 * before + 4));
        EXPECT_EQ(items[5].a, static_cast<float>(10 * next + 1));
        for (std::size_t k = 1; k <= 4; ++k)
            items[k].b = items[k].a + 100, items[k].a = 0;
        halo.refresh(items.data(), &Item::b);
        EXPECT_EQ(items[0].b, static_cast<float>(10 * before + 104));
        EXPECT_EQ(items[0].a, static_cast<float>(10 * before + 4)) << "only the member that was asked for";
    });
}

}  // namespace
}  // namespace spindrift::ranks
