#include "spindrift/scene/validate_names.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"
#include "spindrift/geometry/sequence.h"
#include "spindrift/scene/entry_place.h"
#include "spindrift/scene/validate_channels.h"
#include "spindrift/scene/validate_whitewater.h"

namespace spindrift {

namespace {

/// First and last line of a value in its file.
void find_lines(const Value& value, std::pair<int, int>& lines) {
    if (value.where.line > 0)
        lines = {std::min(lines.first, value.where.line), std::max(lines.second, value.where.line)};
    if (const Value::Array* items = value.as_array()) {
        for (const Value& item : *items)
            find_lines(item, lines);
    }
    if (const Value::Table* members = value.as_table()) {
        for (const Value::Member& member : *members) {
            lines.second = std::max(lines.second, member.where.line);
            find_lines(member.value, lines);
        }
    }
}

template <class Entry>
void check_own_names(const std::vector<Entry>& entries, const Value& tree, std::string_view key, Problems& problems) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string& name = entries[i].name;
        if (name.empty() || seen.insert(name).second) continue;
        problems.add(entry_place(tree, key, i, "name"),
                     fmt::format("another {} is called {} already; give each its own name", key, in_quotes(name)));
    }
}

template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
    std::vector<std::string> names;
    for (const Entry& entry : entries) {
        if (!entry.name.empty()) names.push_back(entry.name);
    }
    return names;
}

/// Says what there is instead, or what is near.
std::string instead(const std::string& name, const std::vector<std::string>& names, const std::string& if_none) {
    const std::string near = suggestion(name, names);
    if (!near.empty()) return near;
    return names.empty() ? if_none : fmt::format("; there are: {}", fmt::join(names, ", "));
}

/// Liquids that entries of a list name.
template <class Entry>
void check_liquids(const Scene& scene, const std::vector<Entry>& entries, const Value& tree, std::string_view key,
                   Problems& problems) {
    const std::vector<std::string> names = names_of(scene.liquid);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string& liquid = entries[i].liquid;
        if (liquid.empty() || std::ranges::find(names, liquid) != names.end()) continue;
        problems.add(entry_place(tree, key, i, "liquid"),
                     fmt::format("liquid: there is no liquid {}{}", in_quotes(liquid), instead(liquid, names, "")));
    }
}

/// With several liquids an emitter says which it gives.
void check_choice(const Scene& scene, const Value& tree, Problems& problems) {
    for (std::size_t i = 0; i < scene.emitter.size() && scene.liquid.size() > 1; ++i) {
        if (!scene.emitter[i].liquid.empty()) continue;
        problems.add(
            entry_place(tree, "emitter", i, ""),
            fmt::format("'liquid' is missing; the scene has several, add liquid = \"{}\"", scene.liquid[0].name));
    }
}

/// A collider that an emitter names has a surface.
void check_colliders(const Scene& scene, const Value& tree, Problems& problems) {
    const std::vector<std::string> names = names_of(scene.collider);
    for (std::size_t i = 0; i < scene.emitter.size(); ++i) {
        const std::string& name = scene.emitter[i].collider;
        if (name.empty()) continue;
        const SourceLocation& where = entry_place(tree, "emitter", i, "collider");
        const auto named = std::ranges::find(scene.collider, name, &collision::ColliderParams::name);
        if (named == scene.collider.end()) {
            problems.add(where, fmt::format("collider: there is no collider {}{}", in_quotes(name),
                                            instead(name, names, "; give a [[collider]] this name")));
        } else if (named->plane) {
            problems.add(where, "collider: a plane has no end, so liquid cannot leave it all over; use a box");
        }
    }
}

/// Cameras that levels of detail follow.
void check_cameras(const Scene& scene, const Value& tree, Problems& problems) {
    if (scene.lod.model == lod::Model::none || scene.camera.empty()) return;
    const std::vector<std::string> names = names_of(scene.camera);
    const Value* table = tree.find("lod");
    for (const std::string& name : scene.lod.cameras) {
        if (std::ranges::find(names, name) != names.end()) continue;
        problems.add(table ? entry_place(tree, "lod", 0, "cameras") : tree.where,
                     fmt::format("the scene has no camera {}{}", in_quotes(name), instead(name, names, "")));
    }
}

/// Files of one scene, looked for from its folder.
class FileChecks {
  public:
    FileChecks(std::filesystem::path folder, Problems& problems) : folder_(std::move(folder)), problems_(problems) {}

    void look(const std::string& file, const SourceLocation& where) {
        if (file.empty()) return;
        namespace fs = std::filesystem;
        const fs::path path = folder_ / file;
        // Of a sequence somebody else knows which numbers it has.
        const fs::path seen = geometry::is_sequence(path) ? path.parent_path() : path;
        std::error_code error;
        const fs::file_status status = fs::status(seen.empty() ? "." : seen, error);
        const bool is_wanted_folder = seen != path;
        if (!fs::exists(status))
            problems_.add(where, fmt::format("there is no {} {}; names are looked for from the scene's folder",
                                             is_wanted_folder ? "folder" : "file", seen.string()));
        else if (fs::is_directory(status) != is_wanted_folder)
            problems_.add(where,
                          fmt::format("{} is {}", seen.string(),
                                      is_wanted_folder ? "a file; a folder is needed" : "a folder; a file is needed"));
    }

  private:
    std::filesystem::path folder_;
    Problems& problems_;
};

void check_fill_files(const Scene& scene, const Value& tree, FileChecks& checks) {
    const Value* list = tree.find("liquid");
    const Value::Array* liquids = list ? list->as_array() : nullptr;
    for (std::size_t i = 0; i < scene.liquid.size(); ++i) {
        const Value* source = liquids && i < liquids->size() ? &(*liquids)[i] : &tree;
        for (std::size_t k = 0; k < scene.liquid[i].fill.size(); ++k)
            checks.look(scene.liquid[i].fill[k].mesh, entry_place(*source, "fill", k, "mesh"));
    }
}

}  // namespace

SoundParts::SoundParts(const Value& tree, const Problems& found) : tree_(tree) {
    try {
        found.throw_if_any();
    } catch (const SceneError& error) {
        found_ = error.problems();
    }
}

bool SoundParts::has(std::string_view key) const {
    const Value* part = tree_.find(key);
    if (!part || found_.empty()) return true;
    std::pair<int, int> lines{1 << 30, 0};
    find_lines(*part, lines);
    return std::ranges::none_of(found_, [&](const SceneProblem& problem) {
        // What has no place, as a value given by --set, may be anywhere.
        const int line = problem.where.line;
        return line == 0 || (line >= lines.first && line <= lines.second);
    });
}

void check_scene_names(const Scene& scene, const Value& tree, const SoundParts& sound, Problems& problems) {
    const auto check = [&](const auto& entries, std::string_view key) {
        if (sound.has(key)) check_own_names(entries, tree, key, problems);
    };
    check(scene.collider, "collider");
    check(scene.body, "body");
    check(scene.camera, "camera");
    check(scene.liquid, "liquid");
    check(scene.emitter, "emitter");
    check(scene.killer, "killer");
    check(scene.channel, "channel");
    check(scene.component, "component");
    if (sound.has("liquid") && !scene.liquid.empty()) {
        if (sound.has("emitter")) {
            check_liquids(scene, scene.emitter, tree, "emitter", problems);
            check_choice(scene, tree, problems);
        }
        if (sound.has("killer")) check_liquids(scene, scene.killer, tree, "killer", problems);
        if (sound.has("force")) check_liquids(scene, scene.force, tree, "force", problems);
    }
    if (sound.has("collider") && sound.has("emitter")) check_colliders(scene, tree, problems);
    if (sound.has("lod") && sound.has("camera")) check_cameras(scene, tree, problems);
    if (sound.has("collider") && sound.has("whitewater")) check_whitewater_colliders(scene, tree, problems);
    const std::string_view of_channels[] = {"channel", "component", "liquid", "emitter",
                                            "force",   "output",    "lod",    "mesh"};
    if (std::ranges::all_of(of_channels, [&](std::string_view key) { return sound.has(key); })) {
        check_channels(scene, tree, problems);
        if (sound.has("whitewater")) check_whitewater_masks(scene, tree, problems);
    }
}

void check_scene_files(const Scene& scene, const Value& tree, const SoundParts& sound, Problems& problems) {
    FileChecks checks(scene.file.parent_path(), problems);
    for (std::size_t i = 0; i < scene.collider.size() && sound.has("collider"); ++i) {
        const collision::ColliderParams& each = scene.collider[i];
        for (const auto& [key, file] :
             {std::pair{"mesh", &each.mesh}, std::pair{"vdb", &each.vdb}, std::pair{"friction_map", &each.friction_map},
              std::pair{"bounce_map", &each.bounce_map}, std::pair{"stickiness_map", &each.stickiness_map}})
            checks.look(*file, entry_place(tree, "collider", i, key));
    }
    for (std::size_t i = 0; i < scene.body.size() && sound.has("body"); ++i)
        checks.look(scene.body[i].mesh, entry_place(tree, "body", i, "mesh"));
    for (std::size_t i = 0; i < scene.emitter.size() && sound.has("emitter"); ++i) {
        checks.look(scene.emitter[i].mesh, entry_place(tree, "emitter", i, "mesh"));
        checks.look(scene.emitter[i].emission_map, entry_place(tree, "emitter", i, "emission_map"));
    }
    if (const Value* table = tree.find("whitewater"); table && scene.whitewater && sound.has("whitewater")) {
        for (std::size_t i = 0; i < scene.whitewater->source.size(); ++i)
            checks.look(scene.whitewater->source[i].mesh, entry_place(*table, "source", i, "mesh"));
    }
    if (sound.has("liquid")) check_fill_files(scene, tree, checks);
    if (sound.has("render")) {
        const Value* render = tree.find("render");
        checks.look(scene.render.floor.image, render ? entry_place(*render, "floor", 0, "image") : tree.where);
    }
}

}  // namespace spindrift
