#include "spindrift/scene/scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/params/write.h"
#include "spindrift/scene/json.h"
#include "spindrift/scene/toml.h"

namespace spindrift {

namespace {

/// output.path, or the name of the scene with "_cache".
std::string output_path(const Scene& scene) {
    if (!scene.output.path.empty()) return scene.output.path;
    const std::string stem = scene.file.stem().string();
    return (stem.empty() ? "scene" : stem) + "_cache";
}

Scene resolved(Scene scene) {
    for (LiquidParams& liquid : scene.liquid) {
        const MaterialProperties properties = liquid.properties();
        liquid.density = properties.density;
        liquid.viscosity = properties.viscosity;
        liquid.surface_tension = properties.surface_tension;
    }
    scene.output.path = output_path(scene);
    return scene;
}

bool is_file_name(const std::string& name) {
    const auto unfit = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
    return !name.empty() && name.size() <= 200 && name.front() != '.' && std::none_of(name.begin(), name.end(), unfit);
}

}  // namespace

MaterialProperties LiquidParams::properties() const {
    const MaterialProperties& preset = material_properties(material);
    return {density.value_or(preset.density), viscosity.value_or(preset.viscosity),
            surface_tension.value_or(preset.surface_tension)};
}

void LiquidParams::check(const Checker& checker) const {
    if (name.empty()) checker.problem("name", "a name must not be empty");
}

void OutputParams::check(const Checker& checker) const {
    if (!is_file_name(name))
        checker.problem("name", fmt::format("{} cannot be the start of a file name", in_quotes(name)));
    if (path.find('\0') != std::string::npos) checker.problem("path", fmt::format("{} is not a path", in_quotes(path)));
}

void Scene::check(const Checker& checker) const {
    if (frames[0] > frames[1])
        checker.problem("frames", fmt::format("the last frame, {}, comes before the first, {}; write [first, last]",
                                              frames[1], frames[0]));
}

std::string write_scene(const Scene& scene) {
    Value tree = write_struct(scene, WriteScope::changed);
    auto& members = *tree.as_table();
    if (!tree.find("version")) {
        Value::Member version;
        version.key = "version";
        version.value = Value(std::int64_t{scene.version});
        members.insert(members.begin(), std::move(version));
    }
    return toml_text(tree);
}

std::string scene_json(const Scene& scene) {
    return json_text(write_struct(resolved(scene), WriteScope::all));
}

std::filesystem::path cache_folder(const Scene& scene) {
    return scene.file.parent_path() / output_path(scene);
}

}  // namespace spindrift
