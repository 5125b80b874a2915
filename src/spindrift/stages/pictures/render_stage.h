#pragma once
// Pictures of a cache, without simulating: what the graph of the scene's look writes or, if it has none, one PNG per
// frame, a contact sheet and a movie.
//
//   RenderReport report = render_cache(scene, {.folder = cache_folder(scene)}, progress);
//
// Writes preview/name.0042.png, preview/name.sheet.png and, where ffmpeg is installed, preview/name.mp4. The manifest
// remembers what each was made from (the particle frame or its mesh, the look, the camera): what is up to date is left
// alone. All frames of a shot share one camera and one colour range.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

struct RenderOptions {
    std::filesystem::path folder{};
    std::filesystem::path output{};      ///< folder of the files; see Cache::open_for_results() if empty
    std::optional<int> first{}, last{};  ///< frames to render; all that there are if not given
    std::string camera{};                ///< by name; the scene's first, or an automatic one, if empty
    int sheet_frames = 9;                ///< pictures on the contact sheet; 0 leaves it out
    bool movie = true;
    std::string only{};        ///< name of the one encode to run; all if empty
    bool progressive = false;  ///< shows pictures in the making as preview/progress.png
    int turntable = 0;         ///< if not 0, the last of the frames seen from so many sides, in preview/turntable
};

struct RenderReport {
    int rendered = 0;
    int reused = 0;  ///< up to date already
    int stale = 0;   ///< of those rendered: they were there, made from other particles or meshes, or with another look
    double seconds = 0;
    std::filesystem::path folder;  ///< where the pictures are
    std::filesystem::path last_picture;
    std::vector<std::filesystem::path> sheets{}, movies{};
};

/// The scene gives cameras, look, domain and colliders; particles and meshes come from the cache. Throws
/// InterruptedError when the progress is interrupted; pictures that are complete stay, and the same call then goes on.
RenderReport render_cache(const Scene& scene, const RenderOptions& options, Progress& progress);

}  // namespace spindrift::stages
