#include "spindrift/io/json_forms.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/errors.h"
#include "spindrift/io/format_problem.h"

namespace spindrift::io {

namespace {

/// Keys stay in the order they were written in.
using Json = nlohmann::ordered_json;

/// Deeper than any scene; printing walks the tree recursively.
constexpr int deepest_nesting = 64;

Json parse(std::string_view text) try {
    return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest_nesting) throw FormatProblem("it is nested too deeply");
        return true;
    });
} catch (const Json::parse_error& error) {
    const auto position = static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), text.begin() + position, '\n');
    throw FormatProblem(fmt::format("it is not JSON at line {}", line));
} catch (const Json::exception&) {
    throw FormatProblem("a number in it is out of range");
}

std::string print(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A value and the path that leads to it, for the words of an error: `stages.particles.frames[3].bytes`.
class Node {
  public:
    Node(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

    Node operator[](const char* key) const {
        const Json& members = object();
        const std::string path = path_.empty() ? key : fmt::format("{}.{}", path_, key);
        const auto place = members.find(key);
        if (place == members.end()) throw FormatProblem(fmt::format("'{}' is missing", path));
        return {*place, path};
    }
    std::string text() const {
        if (!json_.is_string()) expected("a text");
        return json_.get<std::string>();
    }
    double number() const {
        // What is not finite has no JSON form and is written as null.
        if (json_.is_null()) return std::numeric_limits<double>::quiet_NaN();
        if (!json_.is_number()) expected("a number");
        return json_.get<double>();
    }
    template <class Integer>
    Integer whole() const {
        const bool fits = json_.is_number_unsigned()
                              ? std::in_range<Integer>(json_.get<std::uint64_t>())
                              : json_.is_number_integer() && std::in_range<Integer>(json_.get<std::int64_t>());
        if (!fits) expected(std::is_signed_v<Integer> ? "a whole number" : "a whole number, not negative");
        return json_.get<Integer>();
    }
    const Json& object() const {
        if (!json_.is_object()) expected("an object");
        return json_;
    }
    const Json& list() const {
        if (!json_.is_array()) expected("a list");
        return json_;
    }
    /// Calls visit(key, Node) for every member of an object.
    template <class Visit>
    void for_each_member(const Visit& visit) const {
        for (const auto& [key, value] : object().items())
            visit(key, Node(value, fmt::format("{}.{}", path_, key)));
    }
    /// Calls visit(Node) for every element of a list.
    template <class Visit>
    void for_each_element(const Visit& visit) const {
        list();
        for (std::size_t i = 0; i < json_.size(); ++i)
            visit(Node(json_[i], fmt::format("{}[{}]", path_, i)));
    }
    [[noreturn]] void expected(std::string_view what) const {
        throw FormatProblem(fmt::format("{} should be {}", path_.empty() ? "it" : fmt::format("'{}'", path_), what));
    }

  private:
    const Json& json_;
    std::string path_;
};

Json frame_to_json(const FrameEntry& entry) {
    Json json{{"frame", entry.frame},
              {"file", entry.file},
              {"bytes", entry.bytes},
              {"hash", entry.hash},
              {"time", entry.time}};
    // A text, not an object: what a resume needs must not be printed anew.
    if (!entry.state.empty()) {
        SPINDRIFT_CHECK(Json::accept(entry.state));
        json["state"] = entry.state;
    }
    return json;
}

FrameEntry frame_from_json(const Node& node) {
    FrameEntry entry{node["frame"].whole<int>(), node["file"].text(),   node["bytes"].whole<std::uint64_t>(),
                     node["hash"].text(),        node["time"].number(), ""};
    if (!node.object().contains("state")) return entry;
    entry.state = node["state"].text();
    if (!Json::accept(entry.state) || !parse(entry.state).is_object())
        node["state"].expected("the text of a JSON object");
    return entry;
}

Json stage_to_json(const FrameList& stage) {
    Json frames = Json::array();
    for (const FrameEntry& entry : stage.frames)
        frames.push_back(frame_to_json(entry));
    return {{"inputs_hash", stage.inputs_hash}, {"frames", std::move(frames)}};
}

FrameList stage_from_json(const Node& node) {
    FrameList stage{node["inputs_hash"].text(), {}};
    node["frames"].for_each_element([&](const Node& frame) { stage.frames.push_back(frame_from_json(frame)); });
    return stage;
}

Manifest manifest_from_node(const Node& node, int version) {
    Manifest manifest{version,
                      node["program_version"].text(),
                      node["scene_name"].text(),
                      node["scene_hash"].text(),
                      print(node["parameters"].object()),
                      node["fps"].number(),
                      {},
                      "[]"};
    if (node.object().contains("runs")) manifest.runs = print(node["runs"].list());
    node["stages"].for_each_member(
        [&](const std::string& name, const Node& stage) { manifest.series[name] = stage_from_json(stage); });
    return manifest;
}

Json vector_to_json(Vec3d v) {
    return {v.x, v.y, v.z};
}

Vec3d vector_from_json(const Node& node) {
    std::vector<double> values;
    node.for_each_element([&](const Node& value) { values.push_back(value.number()); });
    if (values.size() != 3) node.expected("three numbers");
    return {values[0], values[1], values[2]};
}

Json body_to_json(const BodyStatistics& body) {
    return {{"name", body.name},
            {"kind", body.kind},
            {"mass", body.mass},
            {"force", vector_to_json(body.force)},
            {"torque", vector_to_json(body.torque)},
            {"buoyancy", body.buoyancy},
            {"drag", body.drag},
            {"position", vector_to_json(body.position)},
            {"velocity", vector_to_json(body.velocity)},
            {"spin", vector_to_json(body.spin)}};
}

BodyStatistics body_from_json(const Node& node) {
    BodyStatistics body;
    body.name = node["name"].text();
    body.kind = node["kind"].text();
    body.mass = node["mass"].number();
    body.force = vector_from_json(node["force"]);
    body.torque = vector_from_json(node["torque"]);
    body.buoyancy = node["buoyancy"].number();
    body.drag = node["drag"].number();
    body.position = vector_from_json(node["position"]);
    body.velocity = vector_from_json(node["velocity"]);
    body.spin = vector_from_json(node["spin"]);
    return body;
}

Json ledger_to_json(const BodyLedger& ledger) {
    return {{"given", vector_to_json(ledger.given)},
            {"received", vector_to_json(ledger.received)},
            {"gravity", vector_to_json(ledger.gravity)},
            {"held", vector_to_json(ledger.held)},
            {"momentum", vector_to_json(ledger.momentum)}};
}

BodyLedger ledger_from_json(const Node& node) {
    BodyLedger ledger;
    ledger.given = vector_from_json(node["given"]);
    ledger.received = vector_from_json(node["received"]);
    ledger.gravity = vector_from_json(node["gravity"]);
    ledger.held = vector_from_json(node["held"]);
    ledger.momentum = vector_from_json(node["momentum"]);
    return ledger;
}

}  // namespace

std::string manifest_to_json(const Manifest& manifest) {
    Json parameters = parse(manifest.parameters);
    SPINDRIFT_CHECK(parameters.is_object());
    Json stages = Json::object();
    for (const auto& [name, stage] : manifest.series)
        stages[name] = stage_to_json(stage);
    const Json json{{"version", manifest.version},
                    {"program_version", manifest.program_version},
                    {"scene_name", manifest.scene_name},
                    {"scene_hash", manifest.scene_hash},
                    {"fps", manifest.fps},
                    {"runs", parse(manifest.runs)},
                    {"stages", std::move(stages)},
                    {"parameters", std::move(parameters)}};
    return print(json, 2) + '\n';
}

Manifest manifest_from_json(std::string_view text) {
    int version = 0;
    try {
        const Json json = parse(text);
        const Node node(json, "");
        version = node["version"].whole<int>();
        if (version < 1) node["version"].expected("1 or more");
        if (version <= manifest_version) return manifest_from_node(node, version);
    } catch (const FormatProblem& problem) {
        throw FormatProblem(
            fmt::format("manifest is damaged: {}; use `spindrift run` to compute the cache again", problem.what()));
    }
    throw FormatProblem(
        fmt::format("this cache was written by a newer Spindrift (manifest version {}, this program reads up to {})",
                    version, manifest_version));
}

std::string entry_to_json(const std::string& series, const FrameEntry& entry) {
    return print({{"series", series}, {"frame", frame_to_json(entry)}});
}

std::pair<std::string, FrameEntry> entry_from_json(std::string_view text) {
    const Json json = parse(text);
    const Node node(json, "");
    return {node["series"].text(), frame_from_json(node["frame"])};
}

std::string to_json_line(const FrameStatistics& s) {
    Json phases = Json::object();
    for (const auto& [path, seconds] : s.phases)
        phases[path] = seconds;
    Json json{{"frame", s.frame},
              {"time", s.time},
              {"particles", s.particles},
              {"substeps", s.substeps},
              {"iterations", s.iterations},
              {"mean_density_error", s.mean_density_error},
              {"max_density_error", s.max_density_error},
              {"kinetic_energy", s.kinetic_energy},
              {"potential_energy", s.potential_energy},
              {"volume", s.volume},
              {"measured_volume", s.measured_volume},
              {"momentum", {s.momentum.x, s.momentum.y, s.momentum.z}},
              {"max_speed", s.max_speed},
              {"seconds", s.seconds},
              {"phases", std::move(phases)},
              {"events", s.events}};
    if (s.bodies.empty()) return print(json);
    json["bodies"] = Json::array();
    for (const BodyStatistics& body : s.bodies)
        json["bodies"].push_back(body_to_json(body));
    json["ledger"] = ledger_to_json(s.ledger);
    return print(json);
}

FrameStatistics statistics_from_json(std::string_view text) {
    const Json json = parse(text);
    const Node node(json, "");
    FrameStatistics s;
    s.frame = node["frame"].whole<int>();
    s.time = node["time"].number();
    s.particles = node["particles"].whole<std::size_t>();
    s.substeps = node["substeps"].whole<int>();
    s.iterations = node["iterations"].number();
    s.mean_density_error = node["mean_density_error"].number();
    s.max_density_error = node["max_density_error"].number();
    s.kinetic_energy = node["kinetic_energy"].number();
    s.potential_energy = node["potential_energy"].number();
    s.volume = node["volume"].number();
    // Older files do not have it.
    s.measured_volume = node.object().contains("measured_volume") ? node["measured_volume"].number() : s.volume;
    s.momentum = vector_from_json(node["momentum"]);
    s.max_speed = node["max_speed"].number();
    s.seconds = node["seconds"].number();
    node["phases"].for_each_member(
        [&](const std::string& path, const Node& seconds) { s.phases.emplace_back(path, seconds.number()); });
    node["events"].for_each_element([&](const Node& event) { s.events.push_back(event.text()); });
    if (!node.object().contains("bodies")) return s;
    node["bodies"].for_each_element([&](const Node& body) { s.bodies.push_back(body_from_json(body)); });
    s.ledger = ledger_from_json(node["ledger"]);
    return s;
}

}  // namespace spindrift::io
