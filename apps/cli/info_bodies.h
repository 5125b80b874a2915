#pragma once
// What a run's statistics tell of bodies, for `spindrift info`.
//
//   text += body_table(statistics);

#include <string>
#include <vector>

#include "spindrift/io/statistics.h"
#include "spindrift/params/value.h"

namespace spindrift::cli {

/// Bodies at the last frame and the momentum that went to them; empty if there are none.
std::string body_table(const std::vector<io::FrameStatistics>& statistics);

/// One object for each body at the last frame.
Value body_list(const std::vector<io::FrameStatistics>& statistics);

/// The momentum that went to bodies; nothing if there are none.
Value ledger_json(const std::vector<io::FrameStatistics>& statistics);

}  // namespace spindrift::cli
