#include "cli/info.h"

#include <algorithm>
#include <iterator>

#include "cli/channel_table.h"
#include "cli/commands.h"
#include "cli/estimate.h"
#include "cli/info_grids.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/core/text.h"
#include "spindrift/geometry/read_mesh.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/npz.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

void info_scene(const InfoCommand& command, Terminal& terminal) {
    const Interruptible work(terminal, "stopped before the answer was complete");
    const Scene scene = load_source(command.source);
    const Estimate e = estimate(scene);
    const fs::path cache = cache_folder(scene);
    const bool simulated = fs::exists(cache / io::manifest_file);
    if (command.json) {
        Value answer = json_table({{"scene", Value(command.source.path.string())},
                                   {"particles", Value(e.particles)},
                                   {"spacing", Value(scene.liquid[0].spacing)},
                                   {"frames", json_count(static_cast<std::size_t>(e.frames))},
                                   {"fps", Value(scene.fps)},
                                   {"substeps_guess", Value(e.substeps)},
                                   {"memory_bytes", Value(e.run.memory_bytes)},
                                   {"disk_bytes", Value(e.run.disk_bytes)},
                                   {"seconds_guess", Value(e.run.seconds)},
                                   {"field_bytes", Value(e.field_bytes)},
                                   {"estimates", stage_table(e)},
                                   {"cache", Value(cache.string())},
                                   {"simulated", Value(simulated)}});
        if (simulated) answer.set("simulation", cache_json(cache));
        return terminal.print(json_text(answer));
    }
    terminal.print(
        fmt::format("scene      {}\n"
                    "particles  {}{} at a spacing of {} m\n"
                    "frames     {} to {} at {} fps, {} simulated\n"
                    "substeps   {:.0f} or so per frame\n"
                    "cache      {}{}\n"
                    "to make all frames:\n{}",
                    command.source.path.string(), e.exact ? "" : "about ", format_count(e.particles),
                    format_number(scene.liquid[0].spacing), scene.frames[0], scene.frames[1], format_number(scene.fps),
                    format_duration((e.frames - 1) / scene.fps), e.substeps, cache.string(),
                    simulated ? "" : " (not there yet)", stage_lines(e)));
    if (simulated) terminal.print(fmt::format("\n{}", cache_text(cache)));
}

void info_frame(const InfoCommand& command, Terminal& terminal) {
    const ChannelSet frame = io::read_npz(command.source.path);
    const std::string file = command.source.path.string();
    if (!command.json)
        return terminal.print(fmt::format("{}: {} particles\n{}", file, frame.size(), channel_table(frame)));
    terminal.print(json_text(json_table(
        {{"file", Value(file)}, {"particles", json_count(frame.size())}, {"channels", channel_list(frame)}})));
}

void info_grids(const InfoCommand& command, Terminal& terminal) {
    const std::string file = command.source.path.string();
    const std::vector<GridRow> grids = grids_of(command.source.path);
    if (command.json)
        return terminal.print(json_text(json_table({{"file", Value(file)}, {"grids", grid_list(grids)}})));
    terminal.print(
        fmt::format("{}: {} grids of floats or staggered vectors\n{}", file, grids.size(), grid_table(grids)));
}

void info_mesh(const InfoCommand& command, Terminal& terminal) {
    const geometry::MeshFile file = geometry::read_mesh(command.source.path);
    const geometry::MeshReport& report = file.report;
    const Box3d box = geometry::bounds(file.mesh);
    const std::string defects = geometry::describe_defects(report);
    if (command.json)
        return terminal.print(json_text(json_table({{"file", Value(command.source.path.string())},
                                                    {"points", json_count(report.points)},
                                                    {"triangles", json_count(report.triangles)},
                                                    {"pieces", json_count(report.pieces)},
                                                    {"closed", Value(report.is_closed())},
                                                    {"defects", Value(defects)}})));
    terminal.print(fmt::format(
        "{}: {} points, {} triangles, {} {}, {}\nfrom {:.4g} {:.4g} {:.4g} to {:.4g} {:.4g} {:.4g} m\n",
        command.source.path.string(), report.points, report.triangles, report.pieces,
        report.pieces == 1 ? "piece" : "pieces", defects, box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z));
}

bool is_mesh(const fs::path& path) {
    constexpr const char* endings[] = {".ply", ".obj", ".stl", ".glb", ".gltf"};
    return std::ranges::find(endings, path.extension()) != std::end(endings);
}

}  // namespace

void info(const InfoCommand& command, Terminal& terminal) {
    const fs::path& path = command.source.path;
    if (fs::is_directory(path)) return terminal.print(command.json ? json_text(cache_json(path)) : cache_text(path));
    if (path.extension() == ".npz") return info_frame(command, terminal);
    if (path.extension() == ".vdb") return info_grids(command, terminal);
    if (is_mesh(path)) return info_mesh(command, terminal);
    info_scene(command, terminal);
}

}  // namespace spindrift::cli
