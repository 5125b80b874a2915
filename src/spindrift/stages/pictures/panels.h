#pragma once
// Figures: pictures of several caches, or of several frames of one, side by side.
//
//   std::vector<PanelSource> sources{{water, "water_cache"}, {honey, "honey_cache"}};
//   write_png("figure.png", draw_panels(sources, {.columns = 2}, progress));
//   bool made = write_panel_movie(sources, {.columns = 2}, "both.mp4", progress);

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/image/image.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// A cache and the scene that gives its look.
struct PanelSource {
    Scene scene;
    std::filesystem::path folder;
    std::vector<int> frames{};  ///< one picture each; the last frame if empty
};

struct PanelOptions {
    int width = 480;  ///< of a picture, in pixels; the height follows from the scene's resolution
    int columns = 3;
    std::string camera{};               ///< by name; the scene's first, or an automatic one, if empty
    std::vector<std::string> labels{};  ///< one per picture; the names of scenes, and none for frames of one, if empty
};

/// Scenes without a camera share an automatic one that sees everything in all of them, and pictures coloured by the
/// same channel share its range: what looks different is different. Throws UsageError for frames that are not there and
/// for a number of labels that does not fit, InterruptedError when the progress is interrupted.
image::Image draw_panels(std::span<const PanelSource> sources, const PanelOptions& options, Progress& progress);

/// A movie of all frames that the caches have in common, one picture of each cache. False if there is no ffmpeg: the
/// pictures then stay in a folder beside the file that the movie would be, see panel_frames_folder(). Throws what
/// draw_panels() throws, and UsageError if there are no such frames.
bool write_panel_movie(std::span<const PanelSource> sources, const PanelOptions& options,
                       const std::filesystem::path& output, Progress& progress);

/// Where the pictures of a movie are while it is made: both_frames for both.mp4.
std::filesystem::path panel_frames_folder(const std::filesystem::path& output);

}  // namespace spindrift::stages
