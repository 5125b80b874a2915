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

/// What becomes of a finished line that cannot be read: an IoError with its number, or a warning.
enum class DamagedLines { refuse, leave_out };

/// All finished lines.
std::vector<FrameStatistics> read_statistics(const std::filesystem::path& path,
                                             DamagedLines damaged = DamagedLines::refuse);

/// Removes the lines of this frame and of later ones, and with a warning damaged ones, since frames can be gone on from
/// without them; nothing happens if there is no such file.
void drop_statistics_from(const std::filesystem::path& path, int frame);

}  // namespace spindrift::io
