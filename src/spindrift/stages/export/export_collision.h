#pragma once
// Colliders as other programs read them: OpenVDB level sets with the velocity of the solid.
//
//   ExportReport report = export_collision(scene, {.folder = cache_folder(scene) / "collision"}, progress);
//
// Writes rock.0042.vdb per frame, or rock.vdb for one that stands still, with the grids `collision` (distance in
// metres, negative in the solid) and `collisionvel` (m/s).

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/stage_runner.h"

namespace spindrift::stages {

struct ExportOptions {
    std::filesystem::path folder;         ///< that the files go to
    std::filesystem::path cache{};        ///< whose manifest names the files, if it has one; none if empty
    std::filesystem::path field_cache{};  ///< folder that keeps distance fields; none if empty
};

/// What exports call what they make, for StageRunner.
inline const StageRunner::Words export_words{"files", "the same command writes all of them"};

struct ExportReport {
    std::size_t files = 0;
    std::size_t things = 0;  ///< colliders or bodies
    double seconds = 0;
};

/// All frames of the scene. Planes have no end and are left out, with a word in the log. Throws UsageError if nothing
/// is left, and InterruptedError between two files when the progress is interrupted.
ExportReport export_collision(const Scene& scene, const ExportOptions& options, Progress& progress);

}  // namespace spindrift::stages
