#include "inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/params/value.h"
#include "spindrift/sim/run.h"

namespace spindrift::cli {

namespace {

/// Drops what the library says while it lives.
class Silence {
  public:
    Silence() : sink_(set_log_sink({})) {}
    ~Silence() { set_log_sink(sink_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

  private:
    LogSink sink_;
};

}  // namespace

Scene load_source(const Source& source) {
    if (!source.first && !source.last && !source.spacing) return load_scene(source.path, source.overrides);

    // What was not given comes from the scene: the other end of `frames`, the ratio of the spacings.
    std::vector<std::string> overrides = source.overrides;
    const Scene scene = [&] {
        const Silence silence;
        return load_scene(source.path, source.overrides);
    }();
    if (source.first || source.last) {
        overrides.push_back(fmt::format("frames=[{}, {}]", source.first.value_or(scene.frames[0]),
                                        source.last.value_or(scene.frames[1])));
    }
    for (std::size_t i = 0; source.spacing && i < scene.liquid.size(); ++i) {
        const double ratio = scene.liquid[i].spacing / scene.liquid[0].spacing;
        overrides.push_back(fmt::format("liquid.{}.spacing={}", i, format_number(*source.spacing * ratio)));
    }
    return load_scene(source.path, overrides);
}

std::filesystem::path find_cache(const std::filesystem::path& path) {
    return std::filesystem::is_directory(path) ? path : cache_folder(load_scene(path));
}

Scene scene_to_draw(const Source& source, const std::filesystem::path& folder) {
    Scene scene = sim::load_cached_scene(folder);
    const bool is_cache = std::filesystem::is_directory(source.path);
    const Scene wanted = load_scene(is_cache ? scene.file : source.path, source.overrides);
    scene.camera = wanted.camera;
    scene.render = wanted.render;
    for (std::size_t i = 0; i < std::min(scene.liquid.size(), wanted.liquid.size()); ++i)
        scene.liquid[i].color = wanted.liquid[i].color;
    for (std::size_t i = 0; i < std::min(scene.collider.size(), wanted.collider.size()); ++i) {
        scene.collider[i].visible = wanted.collider[i].visible;
        scene.collider[i].color = wanted.collider[i].color;
        scene.collider[i].opacity = wanted.collider[i].opacity;
    }
    return scene;
}

}  // namespace spindrift::cli
