#pragma once
// Progresses of tests that want to stop.
//
//   StopAt soon(300);
//   EXPECT_THROW(run_scene(scene, options, soon), InterruptedError);

#include <atomic>
#include <cstddef>
#include <string>

#include "spindrift/core/progress.h"

namespace spindrift {

/// Wants to stop from some question on, wherever it is asked.
struct StopAt : SilentProgress {
    explicit StopAt(long question) : left(question) {}
    bool interrupted() const override { return left.fetch_sub(1) <= 0; }
    mutable std::atomic<long> left;
};

/// Wants to stop when so many things are done.
struct StopWhenDone : SilentProgress {
    explicit StopWhenDone(std::size_t things) : enough(things) {}
    void report(std::size_t done, std::size_t, const std::string&) override { stop = done >= enough; }
    std::size_t enough;
};

}  // namespace spindrift
