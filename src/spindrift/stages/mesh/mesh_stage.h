#pragma once
// Meshes of a cache, without simulating: the files that [mesh] asks for, frame by frame.
//
//   MeshReport report = mesh_cache(scene, {.folder = cache_folder(scene)}, progress);
//   std::string line = describe(report.records);       // mesh_record.h
//
// Writes mesh/name.0042.ply (and .obj, .glb), of several liquids also mesh/name.water.0042.ply for each, and
// surface/name.0042.vdb. The manifest remembers what each was made from and what it measures; mesh/quality.jsonl holds
// the same measures, a line for each frame. What is up to date is left alone. Where meshes need to know which particles
// are at the surface, surface_flags/name.0042.npz tells it.

#include <filesystem>
#include <optional>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/mesh/mesh_record.h"

namespace spindrift::stages {

inline constexpr const char* quality_file = "quality.jsonl";

struct MeshOptions {
    std::filesystem::path folder;
    std::optional<int> first{}, last{};  ///< frames to make; all that there are if not given
    std::filesystem::path output{};      ///< folder of the files; see Cache::open_for_results() if empty
};

struct MeshReport {
    int made = 0;
    int reused = 0;  ///< up to date already
    int stale = 0;   ///< of those made: they were there, made from other particles or with other settings
    double seconds = 0;
    std::filesystem::path last_file;    ///< the first file of the last frame
    std::vector<MeshRecord> records{};  ///< of all frames asked for, made or reused
};

/// The scene gives [mesh], the liquids' spacings and names, domain and colliders; particles come from the cache. Throws
/// InterruptedError when the progress is interrupted; frames that are complete stay, and the same call then goes on.
MeshReport mesh_cache(const Scene& scene, const MeshOptions& options, Progress& progress);

}  // namespace spindrift::stages
