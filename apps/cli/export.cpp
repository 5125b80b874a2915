#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/io/manifest.h"
#include "spindrift/stages/export/export_bodies.h"
#include "spindrift/stages/export/export_collision.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

void check_stage(const std::string& stage) {
    if (stage == cache::field_folder || stage == cache::series::bodies) return;
    const std::string guess = suggestion(stage, {cache::field_folder, cache::series::bodies});
    throw UsageError(fmt::format(
        "--stage {}: there is no such stage to export{}", stage,
        guess.empty() ? fmt::format("; there are: {}, {}", cache::field_folder, cache::series::bodies) : guess));
}

stages::ExportReport export_colliders(const Scene& scene, const fs::path& home, const ExportCommand& command,
                                      Terminal& terminal) {
    const bool inside = command.output.empty();
    const bool simulated = fs::exists(home / io::manifest_file);
    return stages::export_collision(scene,
                                    {.folder = inside ? home / cache::field_folder : command.output,
                                     .cache = inside && simulated ? home : fs::path(),
                                     .field_cache = simulated ? home / cache::field_folder : fs::path()},
                                    terminal);
}

/// As they were simulated, whatever the scene says by now.
stages::ExportReport export_simulated_bodies(const Scene& scene, const fs::path& home, const ExportCommand& command,
                                             Terminal& terminal) {
    Scene simulated = cache::load_cached_scene(home);
    simulated.frames = scene.frames;
    simulated.mesh.formats = scene.mesh.formats;
    const fs::path folder = command.output.empty() ? home / cache::series::bodies : command.output;
    return stages::export_bodies(simulated, {.folder = folder, .cache = home}, terminal);
}

}  // namespace

void export_stage(const ExportCommand& command, Terminal& terminal) {
    check_stage(command.stage);
    const ThreadLimit threads(command.threads);
    Source source = command.source;
    const bool is_cache = fs::is_directory(source.path) && find_cache(source.path) == source.path;
    const fs::path cache = is_cache ? source.path : fs::path();
    if (is_cache) source.path = cache::load_cached_scene(cache).file;
    const Scene scene = load_source(source);
    const fs::path home = is_cache ? cache : cache_folder(scene);
    const bool bodies = command.stage == cache::series::bodies;
    const stages::ExportReport report = bodies ? export_simulated_bodies(scene, home, command, terminal)
                                               : export_colliders(scene, home, command, terminal);
    const fs::path folder = command.output.empty() ? home / command.stage : command.output;
    if (!terminal.style().quiet)
        terminal.print(fmt::format("{} files of {} {} written in {} -> {}\n", report.files, report.things,
                                   bodies ? "bodies" : "colliders", format_duration(report.seconds), folder.string()));
}

}  // namespace spindrift::cli
