#pragma once
// Inside io only: the JSON forms of what io keeps. Its source is the only one that knows the JSON library.

#include <string>
#include <string_view>

#include "spindrift/io/manifest.h"
#include "spindrift/io/statistics.h"

namespace spindrift::io {

std::string manifest_to_json(const Manifest& manifest);

/// Both throw FormatProblem.
Manifest manifest_from_json(std::string_view text);
FrameStatistics statistics_from_json(std::string_view text);

}  // namespace spindrift::io
