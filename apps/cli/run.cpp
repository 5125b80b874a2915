#include "cli/run.h"

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/whitewater.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/geometry/mesh_report.h"

namespace spindrift::cli {

namespace {

/// What was found in the meshes, one line each.
std::string collider_table(const std::vector<collision::ColliderReport>& colliders) {
    std::size_t name_width = 8, defect_width = 7;
    for (const collision::ColliderReport& each : colliders) {
        name_width = std::max(name_width, each.name.size());
        defect_width = std::max(defect_width, geometry::describe_defects(each.mesh).size());
    }
    std::string table = fmt::format("{:{}}  {:>9}  {:{}}  {:14}  {:>9}  {:>8}  {:>7}\n", "collider", name_width,
                                    "triangles", "defects", defect_width, "taken as", "field", "of dense", "made in");
    for (const collision::ColliderReport& each : colliders) {
        table += fmt::format(
            "{:{}}  {:>9}  {:{}}  {:14}  {:>9}  {:>6.1f} %  {:>5.2f} s\n", each.name, name_width, each.mesh.triangles,
            geometry::describe_defects(each.mesh), defect_width,
            enum_words(collision::Mode{})[static_cast<std::size_t>(each.mode)],
            format_bytes(static_cast<double>(each.bytes)),
            100.0 * static_cast<double>(each.bytes) / static_cast<double>(std::max<std::size_t>(1, each.dense_bytes)),
            each.seconds);
        if (!each.note.empty()) table += fmt::format("{:{}}  {}\n", "", name_width, each.note);
    }
    return table;
}

std::string what_was_done(const stages::RunReport& report, int last, const std::string& folder) {
    const auto frames = [](int count) { return fmt::format("{} frame{}", count, count == 1 ? "" : "s"); };
    std::string repaired;
    if (report.frames_repaired > 0)
        repaired = fmt::format("{} missing or damaged and {} again what {} before\n",
                               frames(report.frames_repaired) + (report.frames_repaired == 1 ? " was" : " were"),
                               report.frames_repaired == 1 ? "is" : "are",
                               report.frames_repaired == 1 ? "it was" : "they were");
    if (report.frames_simulated > 0)
        return repaired +
               fmt::format(
                   "{} simulated in {}{} -> {}", frames(report.frames_simulated), format_duration(report.seconds),
                   report.frames_reused > 0 ? fmt::format(", {} were there", report.frames_reused) : "", folder);
    if (report.frames_reused == 0) return fmt::format("the first frame is placed -> {}", folder);
    return fmt::format("{}{}: {} has all frames up to {}", repaired, repaired.empty() ? "nothing to do" : "done",
                       folder, last);
}

}  // namespace

void simulate(const Scene& scene, const stages::RunOptions& options, Terminal& terminal) {
    stages::RunOptions with_events = options;
    with_events.on_frame = [&](const io::FrameStatistics& statistics) {
        terminal.event(fmt::format(R"({{"event": "frame", "statistics": {}}})", io::to_json_line(statistics)));
    };
    with_events.on_colliders = [&](const std::vector<collision::ColliderReport>& colliders) {
        if (!terminal.style().quiet) terminal.print(collider_table(colliders));
    };
    const stages::RunReport report = stages::run_scene(scene, with_events, terminal);
    if (scene.whitewater)
        make_whitewater(scene, {.folder = options.folder, .first = {}, .last = scene.frames[1]}, terminal);
    if (terminal.style().quiet) return;
    const std::string folder = options.folder.string();
    const std::string done = what_was_done(report, scene.frames[1], folder);
    if (report.leaked) terminal.print(fmt::format("{} particles leaked into colliders\n", *report.leaked));
    terminal.print(fmt::format("{}\nnext: spindrift render {}   (pictures and a movie)\n      spindrift info {}\n",
                               done, shell_word(folder), shell_word(folder)));
}

void run(const RunCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const Scene scene = load_source(command.source);
    stages::RunOptions options;
    options.folder = command.output.empty() ? cache_folder(scene) : command.output;
    options.from = command.from;
    options.overwrite = command.overwrite;
    options.command = command.words;
    simulate(scene, options, terminal);
}

}  // namespace spindrift::cli
