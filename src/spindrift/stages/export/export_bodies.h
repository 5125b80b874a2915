#pragma once
// Bodies as other programs read them: a mesh per body and frame, with the velocities of its points.
//
//   ExportReport report = export_bodies(scene, {.folder = cache / "bodies", .cache = cache}, progress);
//
// Writes crate.0042.ply, and .obj or .glb if mesh.formats asks for those.

#include "spindrift/core/progress.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/export/export_collision.h"

namespace spindrift::stages {

/// The frames of the cache within those of the scene. The manifest names files that are inside of the cache. Throws
/// UsageError if the scene has no bodies or the formats hold no meshes, IoError if a frame cannot be read, and
/// InterruptedError between two files when the progress is interrupted.
ExportReport export_bodies(const Scene& scene, const ExportOptions& options, Progress& progress);

}  // namespace spindrift::stages
