#pragma once
// The channels of a frame with their types and ranges, for people and for programs.
//
//   terminal.print(channel_table(frame));

#include <string>

#include "spindrift/params/value.h"
#include "spindrift/particles/channel_array.h"

namespace spindrift::cli {

/// One line for each channel under a line of titles.
std::string channel_table(const ChannelSet& frame);

/// A list of objects; no range if there are no particles.
Value channel_list(const ChannelSet& frame);

}  // namespace spindrift::cli
