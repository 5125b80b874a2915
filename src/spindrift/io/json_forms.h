#pragma once
// The JSON forms of manifests and statistics.

#include <string>
#include <string_view>
#include <utility>

#include "spindrift/io/frame_statistics.h"
#include "spindrift/io/manifest.h"

namespace spindrift::io {

std::string manifest_to_json(const Manifest& manifest);

/// An entry of a series as one line.
std::string entry_to_json(const std::string& series, const FrameEntry& entry);

/// These throw FormatProblem.
std::pair<std::string, FrameEntry> entry_from_json(std::string_view text);
Manifest manifest_from_json(std::string_view text);
FrameStatistics statistics_from_json(std::string_view text);

}  // namespace spindrift::io
