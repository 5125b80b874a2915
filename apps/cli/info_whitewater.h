#pragma once
// What `info` tells of whitewater.

#include <string>
#include <vector>

#include "spindrift/params/value.h"
#include "spindrift/stages/whitewater/whitewater_record.h"

namespace spindrift::cli {

/// Courses of the counts; empty if there are none.
std::string whitewater_plots(const std::vector<stages::WhitewaterRecord>& records);
Value whitewater_list(const std::vector<stages::WhitewaterRecord>& records);

}  // namespace spindrift::cli
