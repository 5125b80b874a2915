#include "commands.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/sim/mesh_stage.h"

namespace spindrift::cli {

namespace {

std::string summary(const sim::MeshReport& report) {
    return fmt::format("{} meshes made in {}{} -> {}\nlast: {}\n{}\n", report.made, format_duration(report.seconds),
                       report.reused > 0 ? fmt::format(", {} were up to date", report.reused) : "",
                       report.last_file.parent_path().string(), report.last_file.string(),
                       sim::describe(report.records));
}

}  // namespace

void mesh(const MeshCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const std::filesystem::path folder = find_cache(command.source.path);
    const Scene scene = scene_to_draw(command.source, folder);
    const sim::MeshReport report = sim::mesh_cache(
        scene, {.folder = folder, .first = command.source.first, .last = command.source.last}, terminal);
    for (const sim::MeshRecord& record : report.records)
        terminal.event(fmt::format(R"({{"event":"mesh","mesh":{}}})", sim::to_json(record)));
    if (!terminal.style().quiet) terminal.print(summary(report));
}

}  // namespace spindrift::cli
