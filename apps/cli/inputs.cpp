#include "cli/inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/cache/scene_copy.h"
#include "spindrift/core/log.h"
#include "spindrift/params/value.h"
#include "spindrift/scene/load.h"
#include "spindrift/stages/pictures/look_view.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::cli {

namespace {

/// Drops what the library says meanwhile.
template <class Load>
Scene quietly(const Load& load) {
    const LogScope silence({});
    return load();
}

/// Scenes in a folder; the copy in a cache is none.
std::vector<std::filesystem::path> scenes_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> scenes;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml" && entry.path().filename() != "scene.toml")
            scenes.push_back(entry.path());
    }
    return scenes;
}

/// The scene itself, or the one in a folder: the one called like the folder, or the only one.
std::filesystem::path scene_file(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    if (!fs::is_directory(path)) return path;
    const fs::path folder = fs::absolute(path / ".").lexically_normal().parent_path();
    const fs::path named = path / (folder.filename().string() + ".toml");
    if (fs::exists(named)) return named;
    const std::vector<fs::path> scenes = scenes_in(path);
    if (scenes.size() == 1) return scenes[0];
    throw UsageError(fmt::format("{}: a folder with {}; give the scene file itself", path.string(),
                                 scenes.empty() ? "no scene (.toml) in it" : "several scenes"));
}

}  // namespace

bool is_cache(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    return fs::is_directory(path) && (fs::exists(path / io::manifest_file) || scenes_in(path).empty());
}

Scene load_source(const Source& given) {
    Source source = given;
    source.path = scene_file(source.path);
    if (!source.first && !source.last && !source.spacing) return load_complete_scene(source.path, source.overrides);

    // What was not given comes from the scene: the other end of `frames`, the ratio of the spacings.
    std::vector<std::string> overrides = source.overrides;
    const Scene scene = quietly([&] { return load_complete_scene(source.path, source.overrides); });
    if (source.first || source.last) {
        overrides.push_back(fmt::format("frames=[{}, {}]", source.first.value_or(scene.frames[0]),
                                        source.last.value_or(scene.frames[1])));
    }
    for (std::size_t i = 0; source.spacing && i < scene.liquid.size(); ++i) {
        const double ratio = scene.liquid[i].spacing / scene.liquid[0].spacing;
        overrides.push_back(fmt::format("liquid.{}.spacing={}", i, format_number(*source.spacing * ratio)));
    }
    return load_complete_scene(source.path, overrides);
}

std::filesystem::path find_cache(const std::filesystem::path& path) {
    return is_cache(path) ? path : cache_folder(load_scene(scene_file(path)));
}

DrawnCache open_drawn(const Source& source) {
    if (is_cache(source.path)) {
        if (source.overrides.empty()) return {source.path, cache::load_cached_scene(source.path)};
        const Scene simulated = quietly([&] { return cache::load_cached_scene(source.path); });
        return {source.path, stages::with_look(simulated, load_scene(simulated.file, source.overrides))};
    }
    const std::filesystem::path file = scene_file(source.path);
    const Scene wanted = load_scene(file, source.overrides);
    // Changes are of the look: they do not choose another cache.
    const bool elsewhere =
        std::ranges::any_of(source.overrides, [](const std::string& change) { return change.starts_with("output."); });
    const std::filesystem::path folder = cache_folder(elsewhere ? quietly([&] { return load_scene(file); }) : wanted);
    return {folder, stages::with_look(quietly([&] { return cache::load_cached_scene(folder); }), wanted)};
}

}  // namespace spindrift::cli
