// What belongs to a thread and the loops it starts: limits and sinks of words.

#include "spindrift/core/thread_context.h"

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"

namespace spindrift {
namespace {

/// Calls body(0) and body(1) in two threads at once.
void at_once(const std::function<void(std::size_t)>& body) {
    std::jthread other([&] { body(1); });
    body(0);
}

void raise(std::atomic<int>& largest, int value) {
    for (int seen = largest; value > seen && !largest.compare_exchange_weak(seen, value);) {
    }
}

TEST(ThreadContextTest, two_threads_have_limits_of_their_own_at_once_also_within_loops) {
    constexpr std::array limits = {1, 3};
    std::barrier both(2);
    std::array<int, 2> outside{};
    std::array<std::atomic<int>, 2> wrong{}, largest{};
    at_once([&](std::size_t k) {
        const ThreadLimit limit(limits[k]);
        const std::thread::id own = std::this_thread::get_id();
        both.arrive_and_wait();
        outside[k] = thread_count();
        parallel_for(300, 1, [&](Range) {
            if (thread_count() != limits[k]) ++wrong[k];
            if (limits[k] == 1 && std::this_thread::get_id() != own) ++wrong[k];
            raise(largest[k], thread_index());
            // Nested loops are cut for the same threads.
            const auto inner = parallel_sum<int>(8 * default_chunk, [&](Range) { return thread_count() != limits[k]; });
            wrong[k] += inner;
        });
        both.arrive_and_wait();
    });
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(outside[k], limits[k]);
        EXPECT_EQ(wrong[k], 0);
        EXPECT_LT(largest[k], limits[k]);
    }
}

TEST(ThreadContextTest, a_limit_of_one_thread_leaves_others_theirs) {
    const int cores = thread_count();
    const ThreadLimit one(1);
    std::jthread([&] { EXPECT_EQ(thread_count(), cores); }).join();
    EXPECT_EQ(thread_count(), 1);
}

TEST(ThreadContextTest, another_limit_beside_it_does_not_take_threads_from_a_loop) {
    // Pieces wait for each other: without three threads the loop would wait until it gives up.
    constexpr int threads = 3;
    std::barrier both(2);
    std::atomic<int> met = 0;
    at_once([&](std::size_t k) {
        const ThreadLimit limit(k == 0 ? 1 : threads);
        both.arrive_and_wait();
        if (k == 1) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            parallel_for(threads, 1, [&](Range) {
                ++met;
                while (met < threads && std::chrono::steady_clock::now() < end)
                    std::this_thread::yield();
            });
            EXPECT_LT(std::chrono::steady_clock::now(), end);
        }
        both.arrive_and_wait();
    });
    EXPECT_EQ(met, threads);
}

TEST(ThreadContextTest, a_limit_within_a_loop_counts_for_that_piece) {
    const ThreadLimit three(3);
    std::atomic<int> wrong = 0;
    parallel_for(60, 1, [&](Range) {
        {
            const ThreadLimit one(1);
            // Also where a loop is one piece, which runs at once, the index fits scratch memory of one thread.
            if (thread_index() != 0) ++wrong;
            parallel_for(1, 1, [&](Range) { wrong += thread_index() != 0; });
            parallel_for(4, 1, [&](Range) { wrong += thread_index() != 0 || thread_count() != 1; });
        }
        if (thread_count() != 3 || thread_index() >= 3) ++wrong;
    });
    EXPECT_EQ(wrong, 0);
}

TEST(ThreadContextTest, what_other_libraries_do_keeps_to_the_limit) {
    const ThreadLimit two(2);
    int inside = 0;
    run_limited([&] { inside = thread_count(); });
    EXPECT_EQ(inside, 2);
    EXPECT_THROW(run_limited([] { throw std::out_of_range("inside"); }), std::out_of_range);
}

/// Keeps what a scope hears; scopes call their sink one at a time.
struct Heard {
    std::vector<std::string> words{};

    LogSink sink() {
        return [this](LogLevel, const std::string& text) { words.push_back(text); };
    }
};

TEST(LogScopeTest, warnings_of_two_threads_reach_each_its_own_sink_also_from_loops) {
    Heard process;
    const LogSink before = set_log_sink(process.sink());
    std::array<Heard, 2> heard;
    std::barrier both(2);
    at_once([&](std::size_t k) {
        const ThreadLimit limit(3);
        const LogScope scope(heard[k].sink());
        const std::string name = k == 0 ? "left" : "right";
        both.arrive_and_wait();
        log_warning(name);
        parallel_for(200, 1, [&](Range) {
            log_warning(name);
            parallel_for(2, 1, [&](Range) { log_warning(name); });
        });
    });
    log_warning("outside");
    set_log_sink(before);
    for (std::size_t k = 0; k < 2; ++k)
        EXPECT_EQ(heard[k].words, std::vector<std::string>(601, k == 0 ? "left" : "right"));
    EXPECT_EQ(process.words, std::vector<std::string>{"outside"});
}

TEST(LogScopeTest, the_innermost_hears_and_ends_with_its_scope) {
    Heard process, outer, inner;
    const LogSink before = set_log_sink(process.sink());
    {
        const LogScope listen(outer.sink());
        log_info("1");
        {
            const LogScope nested(inner.sink());
            log_info("2");
            const LogScope silence({});
            log_info("3");
        }
        log_info("4");
    }
    log_info("5");
    set_log_sink(before);
    EXPECT_EQ(outer.words, (std::vector<std::string>{"1", "4"}));
    EXPECT_EQ(inner.words, std::vector<std::string>{"2"});
    EXPECT_EQ(process.words, std::vector<std::string>{"5"});
}

TEST(LogScopeTest, threads_of_their_own_speak_to_the_process_unless_they_inherit) {
    Heard process, mine;
    const LogSink before = set_log_sink(process.sink());
    {
        const LogScope listen(mine.sink());
        std::jthread([] { log_info("stranger"); }).join();
        std::jthread([context = thread_context()] {
            const InheritContext inherit(context);
            log_info("helper");
        }).join();
    }
    set_log_sink(before);
    EXPECT_EQ(process.words, std::vector<std::string>{"stranger"});
    EXPECT_EQ(mine.words, std::vector<std::string>{"helper"});
}

}  // namespace
}  // namespace spindrift
