#include "spindrift/stages/mesh/mesh_record.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/cache/series.h"

namespace spindrift::stages {

namespace {

using Json = nlohmann::ordered_json;

/// Calls visit(key, member) for all that a line holds but the ratio, which follows from others.
template <class Record, class Visit>
void visit_members(Record& r, const Visit& visit) {
    visit("frame", r.frame);
    visit("particles", r.particles);
    visit("points", r.points);
    visit("triangles", r.triangles);
    visit("volume", r.volume);
    visit("particle_volume", r.particle_volume);
    visit("area", r.area);
    visit("pieces", r.pieces);
    visit("genus", r.genus);
    visit("watertight", r.watertight);
    visit("manifold", r.manifold);
    visit("oriented", r.oriented);
    visit("shortest_edge", r.shortest);
    visit("mean_edge", r.mean);
    visit("longest_edge", r.longest);
    visit("slivers", r.slivers);
    visit("crossings", r.crossings);
    visit("dropped", r.dropped);
    visit("skipped", r.skipped);
    visit("added", r.added);
    visit("seconds", r.seconds);
}

std::optional<MeshRecord> record_of(const Json& json) {
    MeshRecord record;
    try {
        visit_members(record, [&](const char* key, auto& member) {
            member = json.at(key).get<std::remove_reference_t<decltype(member)>>();
        });
    } catch (const Json::exception&) {
        return {};
    }
    return record;
}

/// What is wrong with a mesh, in words.
std::string faults(const MeshRecord& record) {
    std::string text;
    const auto add = [&](bool fault, const std::string& words) {
        if (fault) text += (text.empty() ? "" : ", ") + words;
    };
    add(!record.watertight, "has open edges");
    add(!record.manifold, "is not manifold");
    add(!record.oriented, "has faces turned against each other");
    add(record.crossings > 0, fmt::format("has {} pairs of triangles that cut each other", record.crossings));
    return text;
}

}  // namespace

void add_quality(MeshRecord& record, const geometry::MeshQuality& quality) {
    const double edges = static_cast<double>(record.triangles), more = static_cast<double>(quality.triangles);
    if (more > 0) {
        record.shortest = edges > 0 ? std::min(record.shortest, quality.shortest) : quality.shortest;
        record.mean = (record.mean * edges + quality.mean * more) / (edges + more);
        record.longest = std::max(record.longest, quality.longest);
    }
    record.points += quality.points;
    record.triangles += quality.triangles;
    record.volume += quality.volume;
    record.area += quality.area;
    record.pieces += quality.pieces;
    record.genus = record.genus < 0 || quality.genus < 0 ? -1 : record.genus + quality.genus;
    record.watertight = record.watertight && quality.watertight();
    record.manifold = record.manifold && quality.manifold();
    record.oriented = record.oriented && quality.oriented();
    record.slivers += quality.slivers;
    if (quality.crossings >= 0) record.crossings = std::max<std::int64_t>(record.crossings, 0) + quality.crossings;
}

std::string to_json(const MeshRecord& record) {
    Json json;
    visit_members(record, [&](const char* key, const auto& member) {
        json[key] = member;
        if (key == std::string_view("particle_volume")) json["volume_ratio"] = record.volume_ratio();
    });
    return json.dump();
}

std::optional<MeshRecord> parse_mesh_record(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? record_of(json) : std::nullopt;
}

bool tells_quality(const io::FrameEntry& entry) {
    const Json state = Json::parse(entry.state, nullptr, false);
    return state.is_object() && state.contains("quality");
}

std::vector<MeshRecord> mesh_records(std::span<const io::FrameEntry> frames) {
    std::vector<MeshRecord> records;
    for (const io::FrameEntry& entry : frames) {
        const Json state = Json::parse(entry.state, nullptr, false);
        if (!state.is_object() || !state.contains("quality")) continue;
        if (const std::optional<MeshRecord> record = record_of(state["quality"])) records.push_back(*record);
    }
    return records;
}

std::vector<MeshRecord> mesh_records(const io::Manifest& manifest) {
    for (const char* name : {cache::series::mesh, cache::series::surface}) {
        const auto stage = manifest.series.find(name);
        if (stage == manifest.series.end()) continue;
        std::vector<MeshRecord> records = mesh_records(stage->second.frames);
        if (!records.empty()) return records;
    }
    return {};
}

std::string describe(std::span<const MeshRecord> records) {
    std::size_t unsound = 0;
    double low = 0, high = 0;
    const MeshRecord* worst = nullptr;
    bool any = false;
    for (const MeshRecord& each : records) {
        if (!each.sound()) {
            unsound += 1;
            if (!worst) worst = &each;
        }
        if (!(each.particle_volume > 0)) continue;
        low = any ? std::min(low, each.volume_ratio()) : each.volume_ratio();
        high = any ? std::max(high, each.volume_ratio()) : each.volume_ratio();
        any = true;
    }
    std::string text = fmt::format("{} frame{}: ", records.size(), records.size() == 1 ? "" : "s");
    if (!worst)
        text += records.size() == 1 ? "watertight and manifold" : "all watertight and manifold";
    else
        text += fmt::format("{} not sound; frame {} {}", unsound, worst->frame, faults(*worst));
    if (!any) return text + "; empty";
    if (fmt::format("{:.3f}", low) == fmt::format("{:.3f}", high))
        return text + fmt::format("; volume {:.3f} of the particles'", low);
    return text + fmt::format("; volume {:.3f} to {:.3f} of the particles'", low, high);
}

}  // namespace spindrift::stages
