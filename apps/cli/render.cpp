#include "cli/commands.h"
#include "cli/inputs.h"
#include <fmt/format.h>

#include "spindrift/core/parallel.h"
#include "spindrift/core/text.h"
#include "spindrift/stages/pictures/render_stage.h"

namespace spindrift::cli {

namespace {

std::string summary(const stages::RenderReport& report) {
    std::string text = fmt::format("{} {} rendered in {}{} -> {}\n", report.rendered,
                                   report.rendered == 1 ? "picture" : "pictures", format_duration(report.seconds),
                                   report.reused > 0 ? fmt::format(", {} were up to date", report.reused) : "",
                                   report.folder.string());
    const auto add = [&](const char* what, const std::filesystem::path& path) {
        if (!path.empty()) text += fmt::format("{} {}\n", what, path.string());
    };
    add("last: ", report.last_picture);
    for (const std::filesystem::path& sheet : report.sheets)
        add("sheet:", sheet);
    for (const std::filesystem::path& movie : report.movies)
        add("movie:", movie);
    return text;
}

}  // namespace

void render(const RenderCommand& command, Terminal& terminal) {
    const ThreadLimit threads(command.threads);
    if (command.setup) return render_setup(command, terminal);
    const auto [folder, scene] = open_drawn(command.source);
    const stages::RenderReport report = stages::render_cache(scene,
                                                             {.folder = folder,
                                                              .output = command.output,
                                                              .first = command.source.first,
                                                              .last = command.source.last,
                                                              .camera = command.camera,
                                                              .sheet_frames = command.sheet,
                                                              .movie = !command.no_movie,
                                                              .only = command.only,
                                                              .progressive = command.progressive,
                                                              .turntable = command.turntable},
                                                             terminal);
    if (!terminal.style().quiet) terminal.print(summary(report));
}

}  // namespace spindrift::cli
