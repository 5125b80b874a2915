#include "spindrift/sim/panels.h"

#include <algorithm>

#include "commands.h"
#include "inputs.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/image/png_file.h"

namespace spindrift::cli {

namespace {

void check_words(const PanelsCommand& command) {
    if (command.paths.size() > 1 && !command.frames.empty())
        throw UsageError("--frames shows frames of one cache; with several, --frame N draws frame N of each");
    if (command.output.extension() != ".png") {
        std::filesystem::path name = command.output;
        throw UsageError(fmt::format("-o {}: figures are PNG files; write -o {}", command.output.string(),
                                     name.replace_extension(".png").string()));
    }
}

std::vector<sim::PanelSource> panel_sources(const PanelsCommand& command) {
    std::vector<int> frames = command.frames;
    if (command.frame) frames = {*command.frame};
    std::vector<sim::PanelSource> sources;
    for (const std::filesystem::path& path : command.paths) {
        const std::filesystem::path folder = find_cache(path);
        sources.push_back({scene_to_draw({.path = path, .overrides = command.look.overrides}, folder), folder, frames});
    }
    return sources;
}

}  // namespace

void panels(const PanelsCommand& command, Terminal& terminal) {
    check_words(command);
    const ThreadLimit threads(command.threads);
    const std::vector<sim::PanelSource> sources = panel_sources(command);
    const std::size_t row = command.frames.empty() ? 3 : std::min<std::size_t>(command.frames.size(), 100);
    const image::Image figure = sim::draw_panels(sources,
                                                 {.width = command.width,
                                                  .columns = command.columns.value_or(static_cast<int>(row)),
                                                  .camera = command.camera,
                                                  .labels = command.labels},
                                                 terminal);
    image::write_png(command.output, figure);
    if (!terminal.style().quiet)
        terminal.print(
            fmt::format("figure of {} x {} pixels -> {}\n", figure.width, figure.height, command.output.string()));
}

}  // namespace spindrift::cli
