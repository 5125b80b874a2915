#include "spindrift/particles/channel_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift {

namespace {

constexpr ChannelType number{ScalarType::f32, 1}, vector{ScalarType::f32, 3};

constexpr ChannelInfo table[] = {
    {"P", vector, "m", ChannelRole::measured, "always", "position; f64 far from the world's origin"},
    {"v", vector, "m/s", ChannelRole::measured, "always", "velocity"},
    {"id", {ScalarType::i64, 1}, "", ChannelRole::carried, "always", "number of the particle, never given twice", true},
    {"density", number, "kg/m^3", ChannelRole::measured, "always", "density where the particle is"},
    {"pscale", number, "m", ChannelRole::measured, "always", "radius, half the spacing"},
    {"P_local", vector, "m", ChannelRole::measured, "far from the origin",
     "position from the cache's own origin, for a resume"},
    {channel_names::phase,
     {ScalarType::u16, 1},
     "",
     ChannelRole::solver,
     "several liquids",
     "index of the particle's liquid in the scene",
     true},
    {"Cd", vector, "", ChannelRole::carried,
     "several liquids, `[[component]]`, a liquid or emitter with `color`, or asked for",
     "colour at birth, linear RGB; of a mixture that of the moment"},
    {"age", number, "s", ChannelRole::measured, "emitters, or asked for", "time since birth"},
    {channel_names::birth,
     {ScalarType::f64, 1},
     "s",
     ChannelRole::solver,
     "with `age`",
     "time of birth since the first frame"},
    {"uv", vector, "", ChannelRole::carried, "asked for", "place in the source at birth"},
    {"rest", vector, "m", ChannelRole::carried, "asked for", "world position at birth"},
    {"viscosity", number, "m^2/s", ChannelRole::measured, "asked for", "kinematic viscosity of the particle"},
    {"rest_density", number, "kg/m^3", ChannelRole::measured, "asked for",
     "density that the particle has at rest, by its liquid and what it is mixed of"},
    {"vorticity", vector, "1/s", ChannelRole::measured, "asked for", "curl of the velocity at the frame"},
    {channel_names::level,
     {ScalarType::u8, 1},
     "",
     ChannelRole::solver,
     "`[lod]` with a model",
     "iterations that the particle gets, its [level of detail](levels.md)",
     true},
    {channel_names::affine,
     {ScalarType::f32, 9},
     "1/s, per cell",
     ChannelRole::solver,
     "`solver = \"apic\"`",
     "gradient of the velocity by rows, times the cell's width; for a resume"},
    {channel_names::surface_flag,
     {ScalarType::u8, 1},
     "",
     ChannelRole::meshed,
     "in `surface_flags/`, where meshes need it",
     "0 inside, 1 at the surface, 2 in a sheet",
     true},
};

}  // namespace

std::span<const ChannelInfo> channel_table() {
    return table;
}

const ChannelInfo* find_channel_info(std::string_view name) {
    const auto* place = std::ranges::find(table, name, &ChannelInfo::name);
    return place != std::end(table) ? place : nullptr;
}

std::string type_words(ChannelType type) {
    constexpr std::string_view scalars[] = {"f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"};
    const std::string_view scalar = scalars[static_cast<std::size_t>(type.scalar)];
    return type.width == 1 ? std::string(scalar) : fmt::format("{} x {}", scalar, type.width);
}

std::string channel_page() {
    std::string text = "| channel | type | unit | when | what it is |\n|---|---|---|---|---|\n";
    for (const ChannelInfo& each : table)
        text += fmt::format("| `{}` | {} | {}{}| {} | {} |\n", each.name, type_words(each.type), each.unit,
                            each.unit.empty() ? "" : " ", each.when, each.text);
    text += "| `mix_<name>` | f32 | | `[[component]]` | share of the [component](mixtures.md) by volume, 0 to 1 |\n";
    return text + "| your own | | | `[[channel]]` | see below |\n";
}

}  // namespace spindrift
