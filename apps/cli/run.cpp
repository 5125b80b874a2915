#include "run.h"

#include "commands.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"

namespace spindrift::cli {

void simulate(const Scene& scene, const sim::RunOptions& options, Terminal& terminal) {
    sim::RunOptions with_events = options;
    with_events.on_frame = [&](const io::FrameStatistics& statistics) {
        terminal.event(fmt::format(R"({{"event": "frame", "statistics": {}}})", io::to_json_line(statistics)));
    };
    const sim::RunReport report = sim::run_scene(scene, with_events, terminal);
    if (terminal.style().quiet) return;
    const std::string folder = options.folder.string();
    const std::string done =
        report.frames_simulated == 0
            ? fmt::format("nothing to do: {} has all frames up to {}", folder, scene.frames[1])
            : fmt::format("{} frames simulated in {}{} -> {}", report.frames_simulated, format_duration(report.seconds),
                          report.frames_reused > 0 ? fmt::format(", {} were there", report.frames_reused) : "", folder);
    terminal.print(fmt::format("{}\nnext: spindrift render {}   (pictures and a movie)\n      spindrift info {}\n",
                               done, shell_word(folder), shell_word(folder)));
}

void run(const RunCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    const Scene scene = load_source(command.source);
    sim::RunOptions options;
    options.folder = command.output.empty() ? cache_folder(scene) : command.output;
    options.from = command.from;
    options.overwrite = command.overwrite;
    simulate(scene, options, terminal);
}

}  // namespace spindrift::cli
