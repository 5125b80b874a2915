#pragma once
// Tells twice a second how much of some work is done, and how long the rest takes at this pace, to the progress of the
// Interruptible that the work is done in. Nobody is told if there is none, or one that only asks.
//
//   PiecesDone bricks(blocks.size(), "distance field of 'rock'");
//   parallel_for(blocks.size(), [&](Range range) { ...; bricks.add(range.size()); });
//                                                      // distance field of 'rock': 40 %, 12 s to go

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "spindrift/core/progress.h"

namespace spindrift {

class PiecesDone {
  public:
    /// The share of the whole that these pieces are, if there are others before or behind them.
    struct Part {
        double from = 0, to = 1;
    };
    PiecesDone(std::size_t pieces, std::string what);
    PiecesDone(std::size_t pieces, std::string what, Part part);

    /// From any thread.
    void add(std::size_t pieces);

  private:
    using Clock = std::chrono::steady_clock;

    void tell(double share);

    Progress* listener_;
    std::size_t pieces_;
    std::string what_;
    Part part_;
    std::atomic<std::size_t> done_{0};
    std::mutex mutex_;
    Clock::time_point start_, last_;
};

}  // namespace spindrift
