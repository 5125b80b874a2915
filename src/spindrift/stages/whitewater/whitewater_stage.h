#pragma once
// Whitewater of a cache, without simulating: spray, foam, bubbles and mist, frame by frame, as [whitewater] says.
//
//   WhitewaterReport report = whitewater_cache(scene, {.folder = cache_folder(scene)}, progress);
//   std::vector<EmissionRecord> where = preview_emission(scene, {.folder = cache_folder(scene)}, progress);
//
// Writes whitewater/name.spray.0042.npz (.foam. .bubbles. .mist.) for each kind. A frame goes on from the files of the
// one before, so frames are made in order from the first of the cache; the manifest remembers what each was made from
// and how many there are, and whitewater/statistics.jsonl holds the same, a line for each frame. What is up to date is
// left alone.

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "spindrift/core/progress.h"
#include "spindrift/scene/scene.h"
#include "spindrift/stages/whitewater/whitewater_record.h"
#include "spindrift/whitewater/potentials.h"

namespace spindrift::stages {

struct WhitewaterOptions {
    std::filesystem::path folder;
    std::optional<int> first{}, last{};  ///< of a preview: frames to look at; else all are made up to the last
    std::filesystem::path output{};      ///< folder of the files; see Cache::open_for_results() if empty
};

struct WhitewaterReport {
    int made = 0;
    int reused = 0;  ///< up to date already
    int stale = 0;   ///< of those made: they were there, made from other particles or with other settings
    double seconds = 0;
    std::filesystem::path folder{};           ///< where the files are
    std::vector<WhitewaterRecord> records{};  ///< of all frames up to the last asked for, made or reused
};

/// The scene gives [whitewater]; without that table its defaults count. Throws UsageError if there would be more
/// particles than whitewater.most or a frame is missing between others, InterruptedError when the progress is
/// interrupted; frames that are complete stay, and the same call then goes on.
WhitewaterReport whitewater_cache(const Scene& scene, const WhitewaterOptions& options, Progress& progress);

/// What would be born in the time that ends with a frame, and what the potentials are like there.
struct EmissionRecord {
    int frame = 0;
    std::size_t particles = 0;  ///< of the liquid
    std::array<double, whitewater::potential_count> born{};
    std::array<whitewater::PotentialRange, whitewater::potential_count> ranges{};
};

/// Looks at frames on their own and moves nothing. With an output folder it also writes name.emit.0042.vdb there:
/// `emit`, whitewater particles per cubic metre and second, `surface` and `vel`.
std::vector<EmissionRecord> preview_emission(const Scene& scene, const WhitewaterOptions& options, Progress& progress);

}  // namespace spindrift::stages
