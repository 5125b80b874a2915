#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "cli/channel_table.h"
#include "cli/info.h"
#include "cli/info_bodies.h"
#include "cli/info_events.h"
#include "cli/info_grids.h"
#include "cli/info_meshes.h"
#include "cli/info_whitewater.h"
#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/cache/verify.h"
#include "spindrift/core/text.h"
#include "spindrift/io/manifest.h"
#include "spindrift/io/npz.h"
#include "spindrift/io/statistics.h"
#include "spindrift/scene/json.h"
#include "spindrift/stages/mesh/mesh_record.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::cli {

namespace {

namespace fs = std::filesystem;
using io::FrameStatistics;

std::uint64_t stage_bytes(const io::FrameList& stage) {
    return std::accumulate(stage.frames.begin(), stage.frames.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const io::FrameEntry& entry) { return sum + entry.bytes; });
}

std::uint64_t folder_bytes(const fs::path& folder) {
    std::uint64_t total = 0;
    std::error_code error, skipped;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry->is_regular_file(skipped)) total += entry->file_size(skipped);
    }
    return total;
}

std::vector<FrameStatistics> statistics_of(const fs::path& folder) {
    const fs::path file = folder / io::statistics_file;
    if (!fs::exists(file)) return {};
    return io::read_statistics(file, io::DamagedLines::leave_out);
}

/// Of frames that the cache holds: a run that diverged also tells of those that it did not keep.
std::vector<FrameStatistics> kept(const std::vector<FrameStatistics>& statistics, const io::Manifest& manifest) {
    const auto stage = manifest.series.find(cache::series::particles);
    if (stage == manifest.series.end() || stage->second.frames.empty()) return statistics;
    std::vector<FrameStatistics> frames = statistics;
    std::erase_if(frames, [last = stage->second.frames.back().frame](const auto& s) { return s.frame > last; });
    return frames;
}

/// The last frame of particles; nothing if there is none that can be read, of which `resume` has more to say.
std::optional<ChannelSet> last_frame(const fs::path& folder, const io::Manifest& manifest) {
    const auto stage = manifest.series.find(cache::series::particles);
    if (stage == manifest.series.end() || stage->second.frames.empty()) return {};
    try {
        return io::read_npz(folder / stage->second.frames.back().file);
    } catch (const IoError&) {
        return {};
    }
}

/// What is told of meshes is told of those that are made of the particles that are there.
std::vector<stages::MeshRecord> current_meshes(io::Manifest manifest) {
    for (auto& [name, list] : manifest.series) {
        if (name == cache::series::particles) continue;
        std::vector<io::FrameEntry> kept;
        for (const io::FrameEntry& entry : list.frames) {
            if (!cache::is_outdated(manifest, name, entry)) kept.push_back(entry);
        }
        list.frames = std::move(kept);
    }
    return stages::mesh_records(manifest);
}

/// Phases at the top of the tree, the longest first.
std::vector<std::pair<std::string, double>> phase_seconds(const std::vector<FrameStatistics>& statistics) {
    std::vector<std::pair<std::string, double>> phases;
    for (const FrameStatistics& s : statistics) {
        for (const auto& phase : s.phases) {
            const std::string& path = phase.first;
            const double seconds = phase.second;
            if (path.find('/') != std::string::npos) continue;
            const auto known =
                std::find_if(phases.begin(), phases.end(), [&](const auto& p) { return p.first == path; });
            if (known == phases.end())
                phases.emplace_back(path, seconds);
            else
                known->second += seconds;
        }
    }
    std::stable_sort(phases.begin(), phases.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return phases;
}

template <class Read>
std::string plot(const std::vector<FrameStatistics>& statistics, const char* name, const char* unit, const Read& read) {
    std::vector<double> values;
    for (const FrameStatistics& s : statistics)
        values.push_back(static_cast<double>(read(s)));
    return plot_line(name, unit, values);
}

std::string plots(const std::vector<FrameStatistics>& all) {
    // The first frame is placed, not simulated: it has no time and no substeps.
    const std::vector<FrameStatistics> simulated(all.begin() + 1, all.end());
    std::string text = fmt::format("\nframes {} to {}\n", all.front().frame, all.back().frame);
    text += plot(all, "density error", "%", [](const auto& s) { return 100 * s.mean_density_error; });
    text += plot(all, "volume kept", "%",
                 [](const auto& s) { return s.volume > 0 ? 100 * s.measured_volume / s.volume : 100; });
    text += plot(all, "kinetic energy", "J", [](const auto& s) { return s.kinetic_energy; });
    text += plot(all, "potential energy", "J", [](const auto& s) { return s.potential_energy; });
    text += plot(all, "total energy", "J", [](const auto& s) { return s.kinetic_energy + s.potential_energy; });
    text += plot(all, "largest speed", "m/s", [](const auto& s) { return s.max_speed; });
    text += plot(all, "particles", "", [](const auto& s) { return s.particles; });
    text += plot(simulated, "substeps", "per frame", [](const auto& s) { return s.substeps; });
    text += plot(simulated, "time", "s/frame", [](const auto& s) { return s.seconds; });
    return text;
}

std::string phase_shares(const std::vector<FrameStatistics>& statistics) {
    const auto phases = phase_seconds(statistics);
    const double total =
        std::accumulate(phases.begin(), phases.end(), 0.0, [](double s, const auto& p) { return s + p.second; });
    if (!(total > 0)) return "";
    std::string text = "phases           ";
    for (const auto& [name, seconds] : phases)
        text += fmt::format(" {} {:.0f} %", name, 100 * seconds / total);
    return text + "\n";
}

std::string last_statistics(const FrameStatistics& s) {
    return fmt::format(
        "last frame {}: {} particles, {} substeps of {:.1f} iterations, density error {:.2f} % (largest {:.1f} %), "
        "largest speed {:.3g} m/s, {:.2f} s\n",
        s.frame, format_count(static_cast<double>(s.particles)), s.substeps, s.iterations, 100 * s.mean_density_error,
        100 * s.max_density_error, s.max_speed, s.seconds);
}

}  // namespace

std::string cache_text(const fs::path& folder) {
    const io::Manifest manifest = cache::load_manifest(folder);
    const std::vector<FrameStatistics> all = statistics_of(folder), statistics = kept(all, manifest);
    std::string text =
        fmt::format("cache  {}\nscene  {} (spindrift {})\nsize   {}\n", folder.string(), manifest.scene_name,
                    manifest.program_version, format_bytes(static_cast<double>(folder_bytes(folder))));
    for (const auto& [name, stage] : manifest.series) {
        if (stage.frames.empty()) continue;
        const std::size_t stale = cache::count_outdated(manifest, name);
        text += fmt::format("stage  {}: {} files, frames {} to {}, {}{}\n", name, stage.frames.size(),
                            stage.frames.front().frame, stage.frames.back().frame,
                            format_bytes(static_cast<double>(stage_bytes(stage))),
                            stale == 0 ? "" : fmt::format(", {} stale: made of other particles", stale));
    }
    if (!statistics.empty()) text += last_statistics(statistics.back());
    text += event_table(all);
    text += body_table(statistics);
    if (const std::optional<ChannelSet> frame = last_frame(folder, manifest))
        text += fmt::format("\n{}", channel_table(*frame));
    text += grid_table(last_grids(folder, manifest));
    if (statistics.size() > 1) text += plots(statistics) + phase_shares(statistics);
    return text + mesh_plots(current_meshes(manifest)) + whitewater_plots(stages::whitewater_records(manifest));
}

namespace {

Value stage_json(const io::FrameList& stage, std::size_t stale) {
    Value value = json_table({{"files", json_count(stage.frames.size())},
                              {"bytes", json_count(stage_bytes(stage))},
                              {"stale", json_count(stale)}});
    if (stage.frames.empty()) return value;
    value.set("first", Value(std::int64_t{stage.frames.front().frame}));
    value.set("last", Value(std::int64_t{stage.frames.back().frame}));
    return value;
}

Value frame_json(const FrameStatistics& s) {
    Value::Array events;
    for (const std::string& event : s.events)
        events.emplace_back(event);
    return json_table({{"frame", Value(std::int64_t{s.frame})},
                       {"time", Value(s.time)},
                       {"particles", json_count(s.particles)},
                       {"substeps", Value(std::int64_t{s.substeps})},
                       {"iterations", Value(s.iterations)},
                       {"mean_density_error", Value(s.mean_density_error)},

                       {"max_density_error", Value(s.max_density_error)},
                       {"volume", Value(s.volume)},
                       {"measured_volume", Value(s.measured_volume)},
                       {"kinetic_energy", Value(s.kinetic_energy)},
                       {"potential_energy", Value(s.potential_energy)},
                       {"max_speed", Value(s.max_speed)},
                       {"seconds", Value(s.seconds)},
                       {"events", Value(std::move(events))}});
}

}  // namespace

Value cache_json(const fs::path& folder) {
    const io::Manifest manifest = cache::load_manifest(folder);
    const std::vector<FrameStatistics> all = statistics_of(folder), statistics = kept(all, manifest);
    Value stages = Value::table(), phases = Value::table();
    for (const auto& [name, stage] : manifest.series)
        stages.set(name, stage_json(stage, cache::count_outdated(manifest, name)));
    for (const auto& [name, seconds] : phase_seconds(statistics))
        phases.set(name, Value(seconds));
    Value::Array frames;
    for (const FrameStatistics& s : statistics)
        frames.push_back(frame_json(s));
    const std::optional<ChannelSet> frame = last_frame(folder, manifest);
    return json_table({{"cache", Value(folder.string())},
                       {"scene", Value(manifest.scene_name)},
                       {"scene_hash", Value(manifest.scene_hash)},
                       {"version", Value(manifest.program_version)},
                       {"fps", Value(manifest.fps)},
                       {"bytes", json_count(folder_bytes(folder))},
                       {"stages", std::move(stages)},
                       {"channels", frame ? channel_list(*frame) : Value()},
                       {"grids", grid_list(last_grids(folder, manifest))},
                       {"phase_seconds", std::move(phases)},
                       {"bodies", body_list(statistics)},
                       {"ledger", ledger_json(statistics)},
                       {"events", event_list(all)},
                       {"frames", Value(std::move(frames))},
                       {"meshes", mesh_list(current_meshes(manifest))},
                       {"whitewater", whitewater_list(stages::whitewater_records(manifest))}});
}

}  // namespace spindrift::cli
