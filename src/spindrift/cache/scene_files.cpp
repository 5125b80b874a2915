#include "spindrift/cache/scene_files.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/hash.h"
#include "spindrift/core/interruption.h"
#include "spindrift/geometry/sequence.h"

namespace spindrift::cache {

namespace {

namespace fs = std::filesystem;

/// Calls change(name) for the name of every file that the scene needs.
template <class Change>
void change_files(Scene& scene, const Change& change) {
    std::vector<std::string*> files;
    for (collision::ColliderParams& each : scene.collider)
        files.insert(files.end(), {&each.mesh, &each.vdb, &each.friction_map, &each.bounce_map, &each.stickiness_map});
    for (bodies::BodyParams& each : scene.body)
        files.push_back(&each.mesh);
    for (LiquidParams& liquid : scene.liquid) {
        for (emitters::FillParams& fill : liquid.fill)
            files.push_back(&fill.mesh);
    }
    for (emitters::EmitterParams& emitter : scene.emitter)
        files.insert(files.end(), {&emitter.mesh, &emitter.emission_map});
    if (scene.whitewater) {
        for (whitewater::SourceParams& source : scene.whitewater->source)
            files.push_back(&source.mesh);
    }
    for (std::string* file : files) {
        if (!file->empty()) *file = change(fs::path(*file)).generic_string();
    }
}

/// Only of regular files: anything else might never end.
bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

void add_bytes(Hash64& hash, const fs::path& path) {
    if (!is_file(path)) return;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(1 << 20);
    do {
        stop_if_interrupted();
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        hash.add(block.data(), static_cast<std::size_t>(file.gcount()));
    } while (file);
}

/// A glTF file may keep its numbers in others.
void add_buffers(Hash64& hash, const fs::path& path) {
    if (path.extension() != ".gltf" || !is_file(path)) return;
    std::ifstream file(path);
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object() || !json.contains("buffers") || !json["buffers"].is_array()) return;
    for (const nlohmann::json& buffer : json["buffers"]) {
        if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
        const auto uri = buffer["uri"].get<std::string>();
        if (!uri.starts_with("data:")) add_bytes(hash, path.parent_path() / uri);
    }
}

/// Names and sizes of the files that a pattern may mean, in order of their names.
void add_sequence(Hash64& hash, const fs::path& pattern) {
    const std::string name = pattern.filename().string();
    const std::string head = name.substr(0, name.find('#')), tail = name.substr(name.rfind('#') + 1);
    std::map<std::string, std::uintmax_t> sizes;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(pattern.has_parent_path() ? pattern.parent_path() : ".", ignored)) {
        const std::string file = entry.path().filename().string();
        const bool fits = file.size() > head.size() + tail.size() && file.starts_with(head) && file.ends_with(tail);
        if (fits && entry.is_regular_file(ignored)) sizes[file] = entry.file_size(ignored);
    }
    for (const auto& [file, size] : sizes)
        hash.add(fmt::format("{} {}\n", file, size));
}

}  // namespace

Scene relocated(Scene scene, const fs::path& folder) {
    const fs::path home = scene.file.parent_path();
    const auto moved = [&](const fs::path& file) {
        return file.is_absolute() ? file : fs::proximate(fs::absolute(home / file), fs::absolute(folder));
    };
    change_files(scene, moved);
    std::string& floor = scene.render.floor.image;
    if (!floor.empty()) floor = moved(floor).string();
    const auto move_caches = [&](std::vector<render::ModuleParams>& modules) {
        for (render::ModuleParams& module : modules) {
            if (!module.cache.empty()) module.cache = moved(module.cache).string();
        }
    };
    move_caches(scene.render.module);
    for (render::GraphParams& graph : scene.render.graph)
        move_caches(graph.module);
    return scene;
}

Scene without_folders(Scene scene) {
    change_files(scene, [](const fs::path& file) { return file.filename(); });
    return scene;
}

std::string content_of_files(const Scene& scene) {
    Hash64 hash;
    bool any = false;
    Scene copy = scene;
    change_files(copy, [&](const fs::path& file) {
        const fs::path path = scene.file.parent_path() / file;
        any = true;
        if (geometry::is_sequence(path)) {
            add_sequence(hash, path);
        } else {
            add_bytes(hash, path);
            add_buffers(hash, path);
        }
        return file;
    });
    return any ? hash.hex() : "";
}

}  // namespace spindrift::cache
