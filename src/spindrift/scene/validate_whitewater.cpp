#include "spindrift/scene/validate_whitewater.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/text.h"
#include "spindrift/scene/entry_place.h"
#include "spindrift/scene/validate_channels.h"

namespace spindrift {

namespace {

/// Channels of frames that are one number for each particle, and can say what share it gives.
std::vector<std::string> mask_channels(const Scene& scene) {
    std::vector<std::string> names = frame_channels(scene);
    const auto has_more = [&](const std::string& name) {
        for (const ChannelParams& channel : scene.channel) {
            if (channel.name == name) return channel.type != ChannelForm::scalar;
        }
        return name == "v" || name == "Cd" || name == "uv" || name == "rest" || name == "vorticity";
    };
    std::erase_if(names, has_more);
    return names;
}

}  // namespace

void check_whitewater_colliders(const Scene& scene, const Value& tree, Problems& problems) {
    if (!scene.whitewater) return;
    const Value* table = tree.find("whitewater");
    std::vector<std::string> names;
    for (const collision::ColliderParams& collider : scene.collider) {
        if (!collider.name.empty()) names.push_back(collider.name);
    }
    for (std::size_t i = 0; i < scene.whitewater->source.size(); ++i) {
        const std::string& name = scene.whitewater->source[i].collider;
        if (name.empty()) continue;
        const SourceLocation& where = table ? entry_place(*table, "source", i, "collider") : tree.where;
        const auto named = std::ranges::find(scene.collider, name, &collision::ColliderParams::name);
        if (named == scene.collider.end()) {
            const std::string near = suggestion(name, names);
            problems.add(where, fmt::format("collider: there is no collider {}{}", in_quotes(name),
                                            near.empty() ? "; give a [[collider]] this name" : near));
        } else if (named->plane) {
            problems.add(where, "collider: a plane has no end, so nothing can be born all over it; use a box");
        }
    }
}

void check_whitewater_masks(const Scene& scene, const Value& tree, Problems& problems) {
    if (!scene.whitewater) return;
    const whitewater::WhitewaterParams& p = *scene.whitewater;
    const Value* table = tree.find("whitewater");
    const std::vector<std::string> names = mask_channels(scene);
    for (const auto& [cause, mask] :
         {std::pair{"isolation", &p.isolation.mask}, std::pair{"trapped_air", &p.trapped_air.mask},
          std::pair{"crest", &p.crest.mask}, std::pair{"vorticity", &p.vorticity.mask}}) {
        if (mask->empty() || std::ranges::find(names, *mask) != names.end()) continue;
        const std::string near = suggestion(*mask, names);
        problems.add(
            table ? entry_place(*table, cause, 0, "mask") : tree.where,
            fmt::format("mask: frames have no channel {} of one number{}", in_quotes(*mask),
                        near.empty() ? fmt::format("; declare it with [[channel]] name = \"{}\"", *mask) : near));
    }
}

}  // namespace spindrift
