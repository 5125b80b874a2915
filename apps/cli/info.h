#pragma once
// Parts of `info`.

#include <filesystem>

#include "terminal.h"

namespace spindrift::cli {

void info_cache(const std::filesystem::path& folder, bool json, Terminal& terminal);

}  // namespace spindrift::cli
