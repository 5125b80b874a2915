#include <fmt/format.h>

#include "spindrift/cache/cache.h"
#include "spindrift/core/interruption.h"
#include "spindrift/stages/stage_runner.h"
#include "spindrift/stages/whitewater/birth_places.h"
#include "spindrift/stages/whitewater/emission_file.h"
#include "spindrift/stages/whitewater/liquid_frame.h"
#include "spindrift/stages/whitewater/whitewater_stage.h"
#include "spindrift/whitewater/emission.h"

namespace spindrift::stages {

std::vector<EmissionRecord> preview_emission(const Scene& scene, const WhitewaterOptions& options, Progress& progress) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    const Interruptible working(progress, "stopped before the preview was complete; none of its files is half written");
    const cache::Cache cache = cache::Cache::open(options.folder);
    const std::vector<io::FrameEntry> frames =
        cache.frames_between(options.first, options.last, "that whitewater could be born of");
    StageRunner runner(progress, frames.size(), {"frames", "nothing is left half done"});
    FrameSurroundings around(scene, cache);
    std::vector<EmissionRecord> records;
    for (const io::FrameEntry& entry : frames) {
        const std::unique_ptr<LiquidFrame> frame =
            make_liquid_frame(scene, cache, entry, around, {.origin = {}, .tells_ranges = true});
        // As if the frame before had been the same.
        const whitewater::EmissionSetup setup{.before = {frame->liquid, &frame->rates},
                                              .after = {frame->liquid, &frame->rates},
                                              .span = 1 / scene.fps,
                                              .volume = whitewater_volume(scene),
                                              .seed = 0,
                                              .is_allowed = {}};
        records.push_back(
            {entry.frame, frame->particles.size(), whitewater::expected_births(setup, params), frame->ranges});
        if (!options.output.empty()) write_emission(options.output, scene, *frame, records.back());
        runner.done(fmt::format("frame {}", entry.frame));
    }
    return records;
}

}  // namespace spindrift::stages
