#pragma once
// statistics.jsonl: one line for every frame simulated, appended as the run goes on.
//
//   append_statistics(folder / statistics_file, stats);
//   for (const FrameStatistics& s : read_statistics(folder / statistics_file)) plot(s.time, s.kinetic_energy);

#include <filesystem>
#include <string_view>
#include <vector>

#include "spindrift/io/frame_statistics.h"

namespace spindrift::io {

inline constexpr std::string_view statistics_file = "statistics.jsonl";

/// Throws IoError corrupt, in the name of `source`.
FrameStatistics parse_statistics(std::string_view line, const std::filesystem::path& source = statistics_file);

/// Adds one line; what a killed program left of an unfinished one is cut off first.
void append_statistics(const std::filesystem::path& path, const FrameStatistics& statistics);

/// All finished lines; damage within them is an IoError with the number of the line.
std::vector<FrameStatistics> read_statistics(const std::filesystem::path& path);

/// Removes the lines of this frame and of later ones; nothing happens if there is no such file.
void drop_statistics_from(const std::filesystem::path& path, int frame);

}  // namespace spindrift::io
