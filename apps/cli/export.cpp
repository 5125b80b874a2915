#include "commands.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/io/manifest.h"
#include "spindrift/sim/export_collision.h"
#include "spindrift/sim/run.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

void check_stage(const std::string& stage) {
    if (stage == sim::field_folder) return;
    const std::string guess = suggestion(stage, {sim::field_folder});
    throw UsageError(fmt::format("--stage {}: there is no such stage to export{}", stage,
                                 guess.empty() ? fmt::format("; there is: {}", sim::field_folder) : guess));
}

}  // namespace

void export_stage(const ExportCommand& command, Terminal& terminal) {
    check_stage(command.stage);
    const ThreadLimit threads(command.threads);
    Source source = command.source;
    const bool is_cache = fs::is_directory(source.path) && find_cache(source.path) == source.path;
    const fs::path cache = is_cache ? source.path : fs::path();
    if (is_cache) source.path = sim::load_cached_scene(cache).file;
    const Scene scene = load_source(source);
    const fs::path home = is_cache ? cache : cache_folder(scene);
    const bool inside = command.output.empty();
    const fs::path folder = inside ? home / sim::field_folder : command.output;
    const bool simulated = fs::exists(home / io::manifest_file);
    const sim::ExportReport report =
        sim::export_collision(scene,
                              {.folder = folder,
                               .cache = inside && simulated ? home : fs::path(),
                               .field_cache = simulated ? home / sim::field_folder : fs::path()},
                              terminal);
    if (!terminal.style().quiet)
        terminal.print(fmt::format("{} files of {} colliders written in {} -> {}\n", report.files, report.colliders,
                                   format_duration(report.seconds), folder.string()));
}

}  // namespace spindrift::cli
