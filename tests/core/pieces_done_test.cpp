// How far long work is reaches whoever waits for it.

#include "spindrift/core/pieces_done.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/parallel.h"

namespace spindrift {
namespace {

struct Told : SilentProgress {
    void report(std::size_t, std::size_t, const std::string& detail) override { last = detail; }
    std::string last;
};

/// Longer than the pause between two words.
void wait() {
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
}

TEST(PiecesDone, tells_the_progress_of_the_work_around_it) {
    Told told;
    const Interruptible work(told, "stopped");
    PiecesDone pieces(10, "distance field of 'rock'");
    pieces.add(1);
    EXPECT_EQ(told.last, "") << "what is quick is not worth a word";
    wait();
    pieces.add(4);
    EXPECT_EQ(told.last.find("distance field of 'rock': 50 %, "), 0u) << told.last;
    EXPECT_NE(told.last.find(" to go"), std::string::npos) << told.last;
    PiecesDone second(4, "field", {0.5, 1});
    wait();
    second.add(2);
    EXPECT_EQ(told.last.find("field: 75 %, "), 0u) << told.last;
}

TEST(PiecesDone, may_come_from_all_threads_and_from_work_that_nobody_watches) {
    Told told;
    {
        const Interruptible work(told, "stopped");
        PiecesDone pieces(4000, "loop");
        parallel_for(4000, 10, [&](Range range) { pieces.add(range.size()); });
    }
    const SilentProgress asked_only;
    const Interruptible work(asked_only, "stopped");
    PiecesDone pieces(2, "loop");
    wait();
    pieces.add(1);
    EXPECT_EQ(told.last, "");
}

}  // namespace
}  // namespace spindrift
