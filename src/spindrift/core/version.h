#pragma once

#include <string_view>

namespace spindrift {

inline constexpr std::string_view program_version = "0.1.0";

}  // namespace spindrift
