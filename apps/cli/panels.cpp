#include "spindrift/stages/pictures/panels.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/image/png_file.h"

namespace spindrift::cli {

namespace {

bool is_movie(const PanelsCommand& command) {
    return command.movie || command.output.extension() == ".mp4";
}

void check_words(const PanelsCommand& command) {
    if (command.paths.size() > 1 && !command.frames.empty())
        throw UsageError("--frames shows frames of one cache; with several, --frame N draws frame N of each");
    if (is_movie(command) && (command.frame || !command.frames.empty()))
        throw UsageError("a movie has all frames that the caches have in common; leave --frame and --frames out");
    const char* ending = is_movie(command) ? ".mp4" : ".png";
    if (command.output.extension() != ending) {
        std::filesystem::path name = command.output;
        throw UsageError(fmt::format("-o {}: {}; write -o {}", command.output.string(),
                                     is_movie(command) ? "movies are MP4 files" : "figures are PNG files",
                                     name.replace_extension(ending).string()));
    }
}

std::vector<stages::PanelSource> panel_sources(const PanelsCommand& command) {
    std::vector<int> frames = command.frames;
    if (command.frame) frames = {*command.frame};
    std::vector<stages::PanelSource> sources;
    for (const std::filesystem::path& path : command.paths) {
        DrawnCache drawn = open_drawn({.path = path, .overrides = command.look.overrides});
        sources.push_back({std::move(drawn.scene), std::move(drawn.folder), frames});
    }
    return sources;
}

/// Frames of one cache stand in one row.
int columns_of(const PanelsCommand& command) {
    const std::size_t row = command.frames.empty() ? 3 : std::min<std::size_t>(command.frames.size(), 100);
    return command.columns.value_or(static_cast<int>(row));
}

std::string make_movie(const std::vector<stages::PanelSource>& sources, const stages::PanelOptions& options,
                       const std::filesystem::path& output, Terminal& terminal) {
    if (stages::write_panel_movie(sources, options, output, terminal))
        return fmt::format("movie -> {}\n", output.string());
    return fmt::format("pictures -> {}\n", stages::panel_frames_folder(output).string());
}

std::string make_figure(const std::vector<stages::PanelSource>& sources, const stages::PanelOptions& options,
                        const std::filesystem::path& output, Terminal& terminal) {
    const image::Image figure = stages::draw_panels(sources, options, terminal);
    image::write_png(output, figure);
    return fmt::format("figure of {} x {} pixels -> {}\n", figure.width, figure.height, output.string());
}

}  // namespace

void panels(const PanelsCommand& command, Terminal& terminal) {
    check_words(command);
    const ThreadLimit threads(command.threads);
    const std::vector<stages::PanelSource> sources = panel_sources(command);
    const stages::PanelOptions options{
        .width = command.width, .columns = columns_of(command), .camera = command.camera, .labels = command.labels};
    const std::string done = is_movie(command) ? make_movie(sources, options, command.output, terminal)
                                               : make_figure(sources, options, command.output, terminal);
    if (!terminal.style().quiet) terminal.print(done);
}

}  // namespace spindrift::cli
