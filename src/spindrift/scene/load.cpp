// From text to a valid scene: parse, override, upgrade, read, check.

#include "spindrift/scene/load.h"

#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "spindrift/params/read.h"
#include "spindrift/params/write.h"
#include "spindrift/scene/overrides.h"
#include "spindrift/scene/scene.h"
#include "spindrift/scene/toml.h"
#include "spindrift/scene/upgrade.h"
#include "spindrift/scene/validate.h"
#include "spindrift/scene/validate_names.h"

namespace spindrift {

namespace {

/// Scenes are written by hand; whatever is larger is some other file.
constexpr std::size_t largest_file = 4 << 20;

std::string read_file(const std::filesystem::path& path) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) throw IoError(IoError::Kind::missing, path, "there is no such scene file");
    if (std::filesystem::is_directory(status))
        throw IoError(IoError::Kind::missing, path, "this is a folder; give the scene file in it");
    std::ifstream stream(path, std::ios::binary);
    std::string text(largest_file + 1, '\0');
    if (!stream.read(text.data(), static_cast<std::streamsize>(text.size())) && !stream.eof())
        throw IoError(IoError::Kind::missing, path, "cannot be read");
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

/// A level without a shape is one of the whole domain.
void give_levels_the_domain(Scene& scene) {
    for (LiquidParams& liquid : scene.liquid) {
        for (emitters::FillParams& fill : liquid.fill) {
            const bool shaped = fill.is_analytic() || !fill.mesh.empty() || fill.flood;
            if (!shaped && scene.domain) fill.box = scene.domain->box;
        }
    }
}

enum class Files { unseen, needed };

/// Throws the problems with another code than that of a scene which is not valid: files and memory are no part of it.
void throw_as(ExitCode code, const Problems& problems) {
    try {
        problems.throw_if_any();
    } catch (const SceneError& error) {
        throw Error(code, error.what());
    }
}

Scene read_scene(const Value& tree, const std::filesystem::path& file, Problems& problems, Files files) {
    Scene scene;
    scene.file = file;
    read_struct(tree, scene, problems);
    give_levels_the_domain(scene);
    const SoundParts sound(tree, problems);
    check_scene_names(scene, tree, sound, problems);
    if (sound.all()) check_scene(scene, tree, problems);
    if (files == Files::needed) {
        const std::size_t before = problems.count();
        check_scene_files(scene, tree, sound, problems);
        if (before == 0) throw_as(ExitCode::input, problems);
    }
    problems.throw_if_any();
    check_memory(scene, tree, problems);
    throw_as(ExitCode::out_of_resources, problems);
    return scene;
}

/// Gives every value of a table that no file holds the path of the innermost table around it as its place.
void name_places(Value& table, const std::string& path) {
    table.place({path.empty() ? "scene" : path, 0, 0});
    for (Value::Member& member : *table.as_table()) {
        const std::string inner = path.empty() ? member.key : path + "." + member.key;
        if (member.value.is(Value::Kind::table)) name_places(member.value, inner);
        if (!member.value.is_table_list()) continue;
        auto& items = *member.value.as_array();
        for (std::size_t i = 0; i < items.size(); ++i)
            name_places(items[i], fmt::format("{}.{}", inner, i));
    }
}

Scene parse(std::string_view toml, const std::string& file_name, const std::vector<std::string>& overrides,
            Files files) {
    if (toml.size() > largest_file)
        throw_problem({file_name, 0, 0}, fmt::format("larger than {} MiB; this is not a scene", largest_file >> 20));
    Value tree = parse_toml(toml, file_name);
    Problems problems;
    expand_shorthands(tree);
    for (const std::string& setting : overrides)
        apply_override(tree, setting, problems);
    upgrade_scene(tree, problems);
    return read_scene(tree, file_name, problems, files);
}

}  // namespace

Scene parse_scene(std::string_view toml, const std::string& file_name, const std::vector<std::string>& overrides) {
    return parse(toml, file_name, overrides, Files::unseen);
}

Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
    return parse_scene(read_file(path), path.string(), overrides);
}

Scene load_complete_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
    return parse(read_file(path), path.string(), overrides, Files::needed);
}

void validate_scene(const Scene& scene) {
    Value tree = write_struct(scene, WriteScope::changed);
    name_places(tree, "");
    Problems problems;
    read_scene(tree, scene.file, problems, Files::unseen);
}

}  // namespace spindrift
