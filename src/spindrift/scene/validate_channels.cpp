#include "spindrift/scene/validate_channels.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"
#include "spindrift/scene/entry_place.h"

namespace spindrift {

namespace {

/// The table `channels` of the entry `index` of the list `key`; the tree if it is not there.
const Value& values_of(const Value& tree, std::string_view key, std::size_t index) {
    const Value* entry = tree.find(key);
    if (entry && entry->as_array() && index < entry->as_array()->size()) entry = &(*entry->as_array())[index];
    const Value* values = entry ? entry->find("channels") : nullptr;
    return values ? *values : tree;
}

const Value::Member* find_member(const Value& table, const std::string& name) {
    const Value::Table* members = table.as_table();
    if (!members) return nullptr;
    const auto at = std::find_if(members->begin(), members->end(), [&](const auto& m) { return m.key == name; });
    return at == members->end() ? nullptr : &*at;
}

std::string unknown_channel(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const ChannelParams& channel : scene.channel)
        names.push_back(channel.name);
    const std::string near = suggestion(name, names);
    const std::string declare = fmt::format("declare it with [[channel]] name = \"{}\"", name);
    if (!near.empty()) return fmt::format("unknown channel {}{}", in_quotes(name), near);
    if (names.empty()) return fmt::format("unknown channel {}; {}", in_quotes(name), declare);
    return fmt::format("unknown channel {}; there are: {}; or {}", in_quotes(name), fmt::join(names, ", "), declare);
}

void check_values(const Scene& scene, const NumberTable& given, const Value& source, Problems& problems) {
    for (const auto& [name, value] : given.entries) {
        const Value::Member* member = find_member(source, name);
        const auto declared = std::find_if(scene.channel.begin(), scene.channel.end(),
                                           [&n = name](const ChannelParams& channel) { return channel.name == n; });
        if (declared == scene.channel.end()) {
            problems.add(member ? member->where : source.where, unknown_channel(scene, name));
            continue;
        }
        const std::string problem = channel_value_problem(declared->type, value);
        if (problem.empty()) continue;
        problems.add(member ? member->value.where : source.where, fmt::format("{}: {}", name, problem));
    }
}

/// A share of a force, particle by particle.
void check_mask(const Scene& scene, const std::string& name, const SourceLocation& where, Problems& problems) {
    if (name.empty()) return;
    const auto declared = std::find_if(scene.channel.begin(), scene.channel.end(),
                                       [&](const ChannelParams& channel) { return channel.name == name; });
    if (declared == scene.channel.end()) return problems.add(where, "mask: " + unknown_channel(scene, name));
    if (declared->type != ChannelForm::scalar)
        problems.add(where,
                     fmt::format("mask: the channel {} has several numbers for each particle, and a share is one; "
                                 "write type = \"{}\" there",
                                 in_quotes(name), word(ChannelForm::scalar)));
}

std::string missing_mesh_channel(const std::string& name, const std::vector<std::string>& names) {
    const auto& built_in = enum_words(BuiltInChannel{});
    if (std::find(built_in.begin(), built_in.end(), name) != built_in.end())
        return fmt::format("frames have no channel {}; add it to output.channels, and simulate again", in_quotes(name));
    const std::string near = suggestion(name, names);
    return fmt::format("frames have no channel {} that the mesh could carry{}", in_quotes(name),
                       near.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : near);
}

void check_mesh_channels(const Scene& scene, const Value& tree, Problems& problems) {
    const Value* mesh = tree.find("mesh");
    const Value* given = mesh ? mesh->find("channels") : nullptr;
    const std::vector<std::string> names = frame_channels(scene);
    for (std::size_t i = 0; i < scene.mesh.channels.size(); ++i) {
        const std::string& name = scene.mesh.channels[i];
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const bool has_item = given && given->as_array() && i < given->as_array()->size();
        problems.add(has_item ? (*given->as_array())[i].where : tree.where, missing_mesh_channel(name, names));
    }
}

}  // namespace

std::vector<std::string> frame_channels(const Scene& scene) {
    std::vector<std::string> names{"v", "id", "density", "pscale", surface_flag_channel, "Cd"};
    if (scene.liquid.size() > 1) names.push_back("phase");
    if (scene.lod.model != lod::Model::none) names.push_back("lod");
    if (!scene.emitter.empty()) names.insert(names.end(), {"birth", "age"});
    for (const BuiltInChannel channel : scene.output.channels)
        names.emplace_back(word(channel));
    for (const ChannelParams& channel : scene.channel)
        names.push_back(channel.name);
    for (const ComponentParams& component : scene.component)
        names.push_back(share_channel(component.name));
    return names;
}

void check_channels(const Scene& scene, const Value& tree, Problems& problems) {
    for (std::size_t i = 0; i < scene.liquid.size(); ++i)
        check_values(scene, scene.liquid[i].channels, values_of(tree, "liquid", i), problems);
    for (std::size_t i = 0; i < scene.emitter.size(); ++i)
        check_values(scene, scene.emitter[i].channels, values_of(tree, "emitter", i), problems);
    for (std::size_t i = 0; i < scene.force.size(); ++i)
        check_mask(scene, scene.force[i].mask, entry_place(tree, "force", i, "mask"), problems);
    check_mesh_channels(scene, tree, problems);
}

}  // namespace spindrift
