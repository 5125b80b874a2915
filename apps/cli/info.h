#pragma once
// Parts of `info`.

#include <filesystem>
#include <string>

#include "spindrift/params/value.h"

namespace spindrift::cli {

/// What a cache holds and how its simulation went, for people and for programs.
std::string cache_text(const std::filesystem::path& folder);
Value cache_json(const std::filesystem::path& folder);

}  // namespace spindrift::cli
