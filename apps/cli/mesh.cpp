#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/stages/mesh/mesh_stage.h"

namespace spindrift::cli {

namespace {

std::string summary(const stages::MeshReport& report) {
    return fmt::format(
        "{} {} made in {}{} -> {}\nlast: {}\n{}\n", report.made, report.made == 1 ? "mesh" : "meshes",
        format_duration(report.seconds), report.reused > 0 ? fmt::format(", {} were up to date", report.reused) : "",
        report.last_file.parent_path().string(), report.last_file.string(), stages::describe(report.records));
}

}  // namespace

void mesh(const MeshCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const auto [folder, scene] = open_drawn(command.source);
    const stages::MeshReport report = stages::mesh_cache(
        scene, {.folder = folder, .first = command.source.first, .last = command.source.last, .output = command.output},
        terminal);
    for (const stages::MeshRecord& record : report.records)
        terminal.event(fmt::format(R"({{"event":"mesh","mesh":{}}})", stages::to_json(record)));
    if (!terminal.style().quiet) terminal.print(summary(report));
}

}  // namespace spindrift::cli
