#pragma once
// Simulates a scene into its cache folder, frame by frame, so that it can be stopped at any moment and taken up again.
//
//   RunReport report = run_scene(scene, {.folder = cache_folder(scene)}, progress);
//
// The folder holds manifest.json, scene.toml (the scene as it was run), statistics.jsonl, particles/name.0042.npz, of
// scenes with bodies bodies/name.0042.npz, on request grids/name.0042.vdb and, between frames
// that take long or after an interruption checkpoint/name.0042.npz. A frame counts once the manifest names it; every
// file is written aside and renamed. Every frame is a checkpoint.

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/collision/walls/colliders.h"
#include "spindrift/core/progress.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/statistics.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// Substeps are never given up.
inline constexpr double endless_patience = std::numeric_limits<double>::infinity();

struct RunOptions {
    std::filesystem::path folder;
    std::optional<int> from;  ///< keep frames up to this one and simulate the rest anew, also with a changed scene
    bool overwrite = false;   ///< throw away what another scene left in the folder
    bool must_exist = false;  ///< a resume: there has to be something to go on from
    std::string command{};    ///< what the user typed, for the manifest
    double patience = 1;      ///< seconds that a substep gets to end once the user wants to stop; may be endless
    double checkpoint_every = 120;  ///< seconds of work that may be lost, at most, if a frame takes longer
    std::function<void(const io::FrameStatistics&)> on_frame{};
    std::function<void(const std::vector<collision::ColliderReport>&)> on_colliders{};  ///< before the first step
};

struct RunReport {
    int frames_simulated = 0;
    int frames_reused = 0;
    int frames_repaired = 0;  ///< of those: they were missing or damaged, and are again what they were
    double seconds = 0;
    std::optional<std::size_t> leaked{};  ///< particles inside solids at the end, if there are colliders with fields
};

/// Throws InterruptedError when the progress is interrupted: after writing a checkpoint, or at once where a substep
/// would take longer than the patience. Then the last checkpoint or frame counts.
RunReport run_scene(const Scene& scene, const RunOptions& options, Progress& progress);

}  // namespace spindrift::stages
