#include "spindrift/stages/pictures/color_legend.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "spindrift/image/color_map.h"
#include "spindrift/particles/channel_table.h"
#include "spindrift/render/annotate/annotations.h"
#include "spindrift/render/annotate/ticks.h"
#include "spindrift/scene/mixed_liquid.h"

namespace spindrift::stages {

namespace {

/// What colours stand for.
struct Known {
    std::string_view name, unit;
    bool whole = false;
};

/// Sources of colours that are made of channels, and names that tools give to channels of theirs.
constexpr Known made_colors[] = {
    {"speed", "m/s"}, {density_error, "%"}, {"divergence", "1/s"}, {"temperature", "K"}, {"iterations", "", true}};

std::optional<Known> find_known(const std::string& color) {
    if (const ChannelInfo* info = find_channel_info(color)) return Known{info->name, info->unit, info->whole};
    const auto* found = std::ranges::find(made_colors, color, &Known::name);
    return found == std::end(made_colors) ? std::nullopt : std::optional(*found);
}

const ChannelParams* find_own(const Scene& scene, const std::string& color) {
    const auto found = std::ranges::find(scene.channel, color, &ChannelParams::name);
    return found == scene.channel.end() ? nullptr : &*found;
}

const ComponentParams* find_component(const Scene& scene, const std::string& color) {
    const auto found = std::ranges::find_if(
        scene.component, [&](const ComponentParams& each) { return share_channel(each.name) == color; });
    return found == scene.component.end() ? nullptr : &*found;
}

std::string with_unit(const std::string& title, const std::string& unit) {
    return unit.empty() ? title : fmt::format("{} ({})", title, render::raise_powers(unit));
}

std::array<double, 2> density_range(const Scene& scene) {
    const auto [least, most] = std::ranges::minmax(rest_densities(scene));
    return {0.9 * least, 1.1 * most};
}

}  // namespace

std::string legend_title(const Scene& scene, const std::string& color) {
    const std::optional<Known> known = find_known(color);
    const ChannelParams* own = find_own(scene, color);
    if (own && (!known || !own->unit.empty())) return with_unit(color, own->unit);
    if (const ComponentParams* component = find_component(scene, color)) return "share of " + component->name;
    if (!known) return color;
    std::string words = color;
    std::ranges::replace(words, '_', ' ');
    return with_unit(words, std::string(known->unit));
}

bool is_whole_channel(const Scene& scene, const std::string& color) {
    if (const ChannelParams* own = find_own(scene, color)) return own->type == ChannelForm::whole;
    const std::optional<Known> known = find_known(color);
    return known && known->whole;
}

std::array<double, 2> color_range(const Scene& scene, const ParticleColors& colors) {
    constexpr double least_error = 1;
    const std::vector<float>& values = colors.values;
    if (scene.render.color == density_error) return image::symmetric_range(values, least_error);
    if (scene.render.color == "density" && !scene.liquid.empty()) return density_range(scene);
    if (find_component(scene, scene.render.color)) return {0, 1};
    if (colors.whole && !values.empty()) {
        const auto [least, most] = std::ranges::minmax(values);
        const std::array<double, 2> all{least, most};
        if (render::has_fields(all)) return all;
    }
    return image::automatic_range(values);
}

}  // namespace spindrift::stages
