#pragma once
// Files that come one per frame: a run of '#' in a name stands for the frame number, padded to that many digits.
//
//   frame_file("creature.####.ply", 42);                          // creature.0042.ply
//   std::vector<int> gaps = missing_frames("creature.####.ply", 1, 48);
//   std::string text = describe_frames(gaps);                     // "3, 7-12"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace spindrift::geometry {

/// Whether the name has a place for a frame number. Folders do not count.
bool is_sequence(const std::filesystem::path& pattern);

/// The file of a frame; the pattern itself if it is not a sequence. Of several runs the last one counts.
std::filesystem::path frame_file(const std::filesystem::path& pattern, int frame);

/// Frames from `first` to `last` that have no file, in order.
std::vector<int> missing_frames(const std::filesystem::path& pattern, int first, int last);

/// Frames in ascending order as people write them, runs joined; long lists end with how many more there are.
std::string describe_frames(std::span<const int> frames);

}  // namespace spindrift::geometry
