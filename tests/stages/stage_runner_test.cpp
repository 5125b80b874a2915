#include "spindrift/stages/stage_runner.h"

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/log.h"
#include "spindrift/core/parallel.h"

namespace spindrift::stages {
namespace {

/// Remembers what it was told, and wants no more after some things.
struct Told : Progress {
    void report(std::size_t done, std::size_t total, const std::string& detail) override {
        last = std::to_string(done) + " of " + std::to_string(total) + ": " + detail;
        count = done;
    }
    bool interrupted() const override { return count >= enough; }
    std::string last{};
    std::size_t count = 0, enough = 1000;
};

std::string words_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(StageRunner, does_every_item_once_however_many_work) {
    for (const std::size_t workers : {1, 3}) {
        Told told;
        StageRunner runner(told, 20, {"things", "go on"});
        std::vector<std::atomic<int>> done(20);
        runner.at_once(20, workers, [&](std::size_t worker, std::size_t item) {
            EXPECT_LT(worker, workers);
            done[item] += 1;
            runner.done("item");
        });
        for (const std::atomic<int>& each : done)
            EXPECT_EQ(each, 1);
        EXPECT_EQ(told.last, "20 of 20: item");
    }
}

TEST(StageRunner, workers_have_the_limit_and_the_sink_of_the_one_who_asks) {
    Told told;
    StageRunner runner(told, 20, {"things", "go on"});
    std::vector<std::string> said;
    const LogScope listen([&](LogLevel, const std::string& text) { said.push_back(text); });
    const ThreadLimit three(3);
    runner.at_once(20, 3, [](std::size_t, std::size_t) { log_info(std::to_string(thread_count())); });
    EXPECT_EQ(said, std::vector<std::string>(20, "3"));
}

TEST(StageRunner, ends_with_what_the_first_failed_item_threw) {
    Told told;
    StageRunner runner(told, 9, {"things", "go on"});
    const std::string words = words_of([&] {
        runner.at_once(9, 2, [&](std::size_t, std::size_t item) {
            if (item >= 3) throw UsageError("item " + std::to_string(item));
        });
    });
    // The other worker may have failed with the next one at the same time.
    EXPECT_EQ(words, "item 3");
}

TEST(StageRunner, stops_between_items_and_says_how_far_it_came) {
    for (const bool in_order : {false, true}) {
        Told told;
        told.enough = 4;
        StageRunner runner(told, 9, {"meshes", "go on with: spindrift mesh dam_cache"});
        const auto work = [&](std::size_t) {
            runner.stop_if_interrupted();
            runner.done("");
        };
        const std::string words = words_of([&] {
            if (in_order)
                runner.in_order(9, work);
            else
                runner.at_once(9, 1, [&](std::size_t, std::size_t item) { work(item); });
        });
        EXPECT_EQ(words, "stopped after 4 of 9 meshes; go on with: spindrift mesh dam_cache");
    }
}

}  // namespace
}  // namespace spindrift::stages
