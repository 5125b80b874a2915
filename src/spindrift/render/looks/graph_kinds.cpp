#include "spindrift/render/looks/graph_kinds.h"

#include <algorithm>
#include <set>

namespace spindrift::render {

namespace {

/// In the order of ModuleKind.
const std::array<KindInfo, enum_words(ModuleKind{}).size()>& all_kinds() {
    using enum Port;
    static const std::array<KindInfo, enum_words(ModuleKind{}).size()> kinds{{
        {ModuleKind::beauty,
         0,
         0,
         picture,
         layered_picture,
         false,
         {"cache", "camera", "show", "quality", "samples", "resolution", "label", "color"},
         ""},
        {ModuleKind::false_color,
         0,
         0,
         picture,
         layered_picture,
         false,
         {"cache", "camera", "show", "quality", "samples", "resolution", "label", "channel", "range", "slice"},
         "channel"},
        {ModuleKind::layer, 1, 1, layered_picture, picture, false, {"layer", "range"}, ""},
        {ModuleKind::text, 1, 1, picture, picture, true, {"text", "corner"}, "text"},
        {ModuleKind::composite, 2, 2, picture, picture, false, {"mode", "amount"}, ""},
        {ModuleKind::side_by_side, 1, 64, picture, picture, false, {"columns", "labels"}, ""},
        {ModuleKind::scale, 1, 1, picture, picture, false, {"width"}, ""},
        {ModuleKind::encode, 1, 1, picture, files, false, {"formats"}, ""},
    }};
    return kinds;
}

}  // namespace

const KindInfo& kind_info(ModuleKind kind) {
    return all_kinds()[static_cast<std::size_t>(kind)];
}

const KindInfo* find_kind(std::string_view name) {
    const auto found =
        std::find_if(all_kinds().begin(), all_kinds().end(), [&](const KindInfo& k) { return word(k.kind) == name; });
    return found == all_kinds().end() ? nullptr : &*found;
}

std::vector<std::string_view> special_keys() {
    std::set<std::string_view> keys;
    for (const KindInfo& kind : all_kinds())
        keys.insert(kind.keys.begin(), kind.keys.end());
    return {keys.begin(), keys.end()};
}

}  // namespace spindrift::render
