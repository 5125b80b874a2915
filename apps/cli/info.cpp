#include "info.h"

#include <algorithm>
#include <limits>

#include "commands.h"
#include "estimate.h"
#include "inputs.h"
#include "json.h"
#include <fmt/format.h>

#include "spindrift/core/text.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/npz.h"
#include "spindrift/scene/json.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;

void info_scene(const InfoCommand& command, Terminal& terminal) {
    const Scene scene = load_source(command.source);
    const Estimate e = estimate(scene);
    const fs::path cache = cache_folder(scene);
    const bool simulated = fs::exists(cache / io::manifest_file);
    if (command.json) {
        return terminal.print(json_text(json_table({{"scene", Value(command.source.path.string())},
                                                    {"particles", Value(e.particles)},
                                                    {"spacing", Value(scene.liquid[0].spacing)},
                                                    {"frames", json_count(static_cast<std::size_t>(e.frames))},
                                                    {"fps", Value(scene.fps)},
                                                    {"substeps_guess", Value(e.substeps)},
                                                    {"memory_bytes", Value(e.memory_bytes)},
                                                    {"disk_bytes", Value(e.frame_bytes * e.frames)},
                                                    {"seconds_guess", Value(e.seconds)},
                                                    {"cache", Value(cache.string())},
                                                    {"simulated", Value(simulated)}})));
    }
    terminal.print(fmt::format(
        "scene      {}\n"
        "particles  {}{} at a spacing of {} m\n"
        "frames     {} to {} at {} fps, {} simulated\n"
        "memory     {}\n"
        "disk       {} ({} per frame)\n"
        "time       {} or so on two cores, at {:.0f} substeps per frame\n"
        "cache      {}{}\n",
        command.source.path.string(), e.exact ? "" : "about ", format_count(e.particles),
        format_number(scene.liquid[0].spacing), scene.frames[0], scene.frames[1], format_number(scene.fps),
        format_duration((e.frames - 1) / scene.fps), format_bytes(e.memory_bytes),
        format_bytes(e.frame_bytes * e.frames), format_bytes(e.frame_bytes), format_duration(e.seconds), e.substeps,
        cache.string(),
        simulated ? fmt::format(" (there; see: spindrift info {})", shell_word(cache.string())) : " (not there yet)"));
}

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
};

Extent extent(const ChannelArray& channel) {
    Extent e;
    for (std::size_t i = 0; i < channel.size(); ++i) {
        for (int c = 0; c < channel.type().width; ++c) {
            e.low = std::min(e.low, channel.value(i, c));
            e.high = std::max(e.high, channel.value(i, c));
        }
    }
    return e;
}

void info_frame(const InfoCommand& command, Terminal& terminal) {
    const ChannelSet frame = io::read_npz(command.source.path);
    Value::Array rows;
    std::string table =
        fmt::format("{}: {} particles\n{:<16} {:<8} {:>16} {:>14} {:>14}\n", command.source.path.string(), frame.size(),
                    "channel", "type", "shape", "min", "max");
    for (const ChannelArray& channel : frame.channels) {
        const Extent e = extent(channel);
        const int width = channel.type().width;
        const std::string shape =
            width == 1 ? fmt::format("({},)", channel.size()) : fmt::format("({}, {})", channel.size(), width);
        const std::string_view type = io::dtype_name(channel.type().scalar);
        table += fmt::format("{:<16} {:<8} {:>16} {:>14.6g} {:>14.6g}\n", channel.name(), type, shape, e.low, e.high);
        rows.push_back(json_table({{"name", Value(channel.name())},
                                   {"type", Value(type)},
                                   {"shape", Value(shape)},
                                   {"min", Value(e.low)},
                                   {"max", Value(e.high)}}));
    }
    if (!command.json) return terminal.print(table);
    terminal.print(json_text(json_table({{"file", Value(command.source.path.string())},
                                         {"particles", json_count(frame.size())},
                                         {"channels", Value(std::move(rows))}})));
}

}  // namespace

void info(const InfoCommand& command, Terminal& terminal) {
    const fs::path& path = command.source.path;
    if (fs::is_directory(path)) return info_cache(path, command.json, terminal);
    if (path.extension() == ".npz") return info_frame(command, terminal);
    info_scene(command, terminal);
}

}  // namespace spindrift::cli
