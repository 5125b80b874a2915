// From text to a valid scene: parse, override, upgrade, read, check.

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

Scene read_scene(const Value& tree, Problems& problems) {
    Scene scene;
    read_struct(tree, scene, problems);
    problems.throw_if_any();
    give_levels_the_domain(scene);
    check_scene(scene, tree, problems);
    problems.throw_if_any();
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

}  // namespace

Scene parse_scene(std::string_view toml, const std::string& file_name, const std::vector<std::string>& overrides) {
    if (toml.size() > largest_file)
        throw_problem({file_name, 0, 0}, fmt::format("larger than {} MiB; this is not a scene", largest_file >> 20));
    Value tree = parse_toml(toml, file_name);
    Problems problems;
    expand_shorthands(tree);
    for (const std::string& setting : overrides)
        apply_override(tree, setting, problems);
    upgrade_scene(tree, problems);
    Scene scene = read_scene(tree, problems);
    scene.file = file_name;
    return scene;
}

Scene load_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
    return parse_scene(read_file(path), path.string(), overrides);
}

void validate_scene(const Scene& scene) {
    Value tree = write_struct(scene, WriteScope::changed);
    name_places(tree, "");
    Problems problems;
    read_scene(tree, problems);
}

}  // namespace spindrift
