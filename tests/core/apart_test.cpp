#include "spindrift/core/apart.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"

namespace spindrift {
namespace {

using End = Apart::End;

TEST(Apart, hands_back_what_the_work_returns) {
    const std::string large(300'000, 'x');
    const Apart read = run_apart([&] { return large; }, {});
    EXPECT_EQ(read.end, End::done);
    EXPECT_EQ(read.text, large);
    EXPECT_EQ(run_apart([] { return std::string(); }, {}).end, End::done);
}

TEST(Apart, keeps_what_happens_there_away_from_this_program) {
    int here = 1;
    run_apart(
        [&] {
            here = 2;
            return std::string();
        },
        {});
    EXPECT_EQ(here, 1);
}

TEST(Apart, tells_how_the_work_ended) {
    const Apart failed = run_apart([]() -> std::string { throw std::runtime_error("is damaged"); }, {});
    EXPECT_EQ(failed.end, End::failed);
    EXPECT_EQ(failed.text, "is damaged");
    EXPECT_EQ(run_apart(
                  []() -> std::string {
                      raise(SIGKILL);
                      return "";
                  },
                  {})
                  .end,
              End::crash);
    EXPECT_EQ(run_apart([]() -> std::string { std::_Exit(3); }, {}).end, End::crash);
}

TEST(Apart, gets_no_more_memory_and_time_than_it_may_have) {
#ifndef __SANITIZE_ADDRESS__
    const auto greedy = [] { return std::string(std::vector<char>(std::size_t{1} << 32, 'x').data(), 1); };
    EXPECT_EQ(run_apart(greedy, {.memory = std::size_t{1} << 28}).end, End::memory);
#endif
    const auto endless = [] {
        std::this_thread::sleep_for(std::chrono::seconds(60));
        return std::string();
    };
    EXPECT_EQ(run_apart(endless, {.seconds = 0.2}).end, End::time);
}

TEST(Apart, runs_loops_there_although_other_threads_are_at_work) {
    std::vector<double> values(100'000, 1.0);
    parallel_for(values.size(), 16, [&](Range range) {
        for (const std::size_t i : range)
            values[i] += 1;
    });
    const Apart read = run_apart(
        [&] {
            const ThreadLimit alone(1);
            return std::to_string(parallel_sum<double>(values.size(), [&](Range range) {
                double sum = 0;
                for (const std::size_t i : range)
                    sum += values[i];
                return sum;
            }));
        },
        {.seconds = 20});
    EXPECT_EQ(read.end, End::done);
    EXPECT_EQ(read.text, "200000.000000");
}

TEST(Apart, ends_when_the_program_is_to_stop) {
    SilentProgress progress;
    progress.stop = true;
    const Interruptible work(progress, "stopped");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(run_apart(
                     [] {
                         std::this_thread::sleep_for(std::chrono::seconds(60));
                         return std::string();
                     },
                     {}),
                 InterruptedError);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace spindrift
