#include "commands.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/io/manifest.h"
#include "spindrift/sim/body_files.h"
#include "spindrift/sim/export_bodies.h"
#include "spindrift/sim/export_collision.h"
#include "spindrift/sim/run.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

void check_stage(const std::string& stage) {
    if (stage == sim::field_folder || stage == sim::body_stage) return;
    const std::string guess = suggestion(stage, {sim::field_folder, sim::body_stage});
    throw UsageError(
        fmt::format("--stage {}: there is no such stage to export{}", stage,
                    guess.empty() ? fmt::format("; there are: {}, {}", sim::field_folder, sim::body_stage) : guess));
}

sim::ExportReport export_colliders(const Scene& scene, const fs::path& home, const ExportCommand& command,
                                   Terminal& terminal) {
    const bool inside = command.output.empty();
    const bool simulated = fs::exists(home / io::manifest_file);
    return sim::export_collision(scene,
                                 {.folder = inside ? home / sim::field_folder : command.output,
                                  .cache = inside && simulated ? home : fs::path(),
                                  .field_cache = simulated ? home / sim::field_folder : fs::path()},
                                 terminal);
}

/// As they were simulated, whatever the scene says by now.
sim::ExportReport export_simulated_bodies(const Scene& scene, const fs::path& home, const ExportCommand& command,
                                          Terminal& terminal) {
    Scene simulated = sim::load_cached_scene(home);
    simulated.frames = scene.frames;
    simulated.mesh.formats = scene.mesh.formats;
    const fs::path folder = command.output.empty() ? home / sim::body_stage : command.output;
    return sim::export_bodies(simulated, {.folder = folder, .cache = home}, terminal);
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
    const bool bodies = command.stage == sim::body_stage;
    const sim::ExportReport report = bodies ? export_simulated_bodies(scene, home, command, terminal)
                                            : export_colliders(scene, home, command, terminal);
    const fs::path folder = command.output.empty() ? home / command.stage : command.output;
    if (!terminal.style().quiet)
        terminal.print(fmt::format("{} files of {} {} written in {} -> {}\n", report.files, report.colliders,
                                   bodies ? "bodies" : "colliders", format_duration(report.seconds), folder.string()));
}

}  // namespace spindrift::cli
