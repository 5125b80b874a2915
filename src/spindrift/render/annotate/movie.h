#pragma once
// Moving pictures by the ffmpeg program, if it is installed.
//
//   if (!encode_mp4(frames, 24, "dam.mp4")) ...   // no ffmpeg here; the pictures are all there is

#include <filesystem>
#include <span>

namespace spindrift::render {

/// Encodes PNG files in the given order as H.264 that plays everywhere. False (and a line in the log) if there is no
/// ffmpeg on the PATH. Written aside and renamed; throws IoError with ffmpeg's own words if it fails.
bool encode_mp4(std::span<const std::filesystem::path> frames, double fps, const std::filesystem::path& output);

}  // namespace spindrift::render
