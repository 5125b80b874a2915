#pragma once
// Frames in the middle of a cache that are missing or not what was written: simulated again from the ones before them.
// The same scene gives the same bits, so that what comes after such a frame can stay.
//
//   const std::vector<int> bad = find_damaged(frames, last, cache::Depth::quick, progress);
//   const Repair repair = repair_frames(bad, ...);
//   if (repair.differs) ...                     // another machine or program made this cache: all after it is to be
//   made anew

#include <optional>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/stages/run/run_frames.h"

namespace spindrift::stages {

/// Frames up to `last` whose files are missing or not what was written, but for those that no sound frame follows: a
/// run goes on before them anyway. Says what is wrong with the first.
std::vector<int> find_damaged(const RunFrames& frames, int last, cache::Depth depth, Progress& progress);

struct Repair {
    int frames = 0;                ///< that are again what they were
    std::optional<int> differs{};  ///< came out otherwise; the simulation stands there, and nothing was committed
};

/// Throws InterruptedError; what is repaired by then stays so.
Repair repair_frames(const std::vector<int>& damaged, RunFrames& frames, sim::Simulation& simulation,
                     cache::Cache& cache, Progress& progress);

}  // namespace spindrift::stages
