#pragma once
// Words for people: suggestions for misspelt names, sizes and durations.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift {

/// The candidate nearest to what was typed, empty if none is near.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& candidates);

/// `; did you mean 'iterations'?`, empty if no candidate is near.
std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates);

/// 1536 -> "1.5 kB", 3.2e9 -> "3.2 GB".
std::string format_bytes(double bytes);

/// 75.2 -> "1 min 15 s", 0.4 -> "0.4 s".
std::string format_duration(double seconds);

/// 1234567 -> "1.235 M", 5120 -> "5.12 k".
std::string format_count(double count);

/// One line of block characters, as wide as `width`, of the values' course.
std::string sparkline(std::span<const double> values, std::size_t width);

}  // namespace spindrift
