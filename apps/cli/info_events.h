#pragma once
// What went wrong in a simulation, as `info` tells it: one line for each kind of event.

#include <string>
#include <vector>

#include "spindrift/io/statistics.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

/// Empty if nothing happened.
std::string event_table(const std::vector<io::FrameStatistics>& statistics);
Value event_list(const std::vector<io::FrameStatistics>& statistics);

}  // namespace spindrift::cli
