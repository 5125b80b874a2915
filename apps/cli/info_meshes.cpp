#include "cli/info_meshes.h"

#include <algorithm>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/core/text.h"

namespace spindrift::cli {

namespace {

template <class Read>
std::string plot(const std::vector<stages::MeshRecord>& records, const char* name, const char* unit, const Read& read) {
    std::vector<double> values;
    for (const stages::MeshRecord& record : records)
        values.push_back(static_cast<double>(read(record)));
    return plot_line(name, unit, values);
}

Value record_json(const stages::MeshRecord& r) {
    return json_table({{"frame", Value(std::int64_t{r.frame})},
                       {"particles", json_count(r.particles)},
                       {"points", json_count(r.points)},
                       {"triangles", json_count(r.triangles)},
                       {"volume", Value(r.volume)},
                       {"particle_volume", Value(r.particle_volume)},
                       {"volume_ratio", Value(r.volume_ratio())},
                       {"area", Value(r.area)},
                       {"pieces", json_count(r.pieces)},
                       {"genus", Value(r.genus)},
                       {"watertight", Value(r.watertight)},
                       {"manifold", Value(r.manifold)},
                       {"oriented", Value(r.oriented)},
                       {"shortest_edge", Value(r.shortest)},
                       {"mean_edge", Value(r.mean)},
                       {"longest_edge", Value(r.longest)},
                       {"slivers", json_count(r.slivers)},
                       {"crossings", Value(r.crossings)},
                       {"dropped", json_count(r.dropped)},
                       {"skipped", json_count(r.skipped)},
                       {"added", json_count(r.added)},
                       {"seconds", Value(r.seconds)}});
}

}  // namespace

std::string plot_line(const char* name, const char* unit, const std::vector<double>& values) {
    constexpr std::size_t width = 60;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{:<17} {:<{}}  {:.4g} to {:.4g} {}\n", name, sparkline(values, width), width, *low, *high,
                       unit);
}

std::string mesh_plots(const std::vector<stages::MeshRecord>& records) {
    if (records.empty()) return "";
    std::string text = fmt::format("\nmeshes of {}\n", stages::describe(records));
    if (records.size() == 1) return text;
    text += plot(records, "volume", "of the particles'", [](const auto& r) { return r.volume_ratio(); });
    text += plot(records, "triangles", "", [](const auto& r) { return r.triangles; });
    text += plot(records, "pieces", "", [](const auto& r) { return r.pieces; });
    text += plot(records, "time", "s/frame", [](const auto& r) { return r.seconds; });
    return text;
}

Value mesh_list(const std::vector<stages::MeshRecord>& records) {
    Value::Array list;
    for (const stages::MeshRecord& record : records)
        list.push_back(record_json(record));
    return Value(std::move(list));
}

}  // namespace spindrift::cli
