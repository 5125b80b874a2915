#pragma once
// The kinds of modules that are built in: what each takes, gives and listens to.
//
//   const KindInfo* kind = find_kind("text");          // nullptr for the name of a sub-graph
//   bool fits = kind->fewest <= 1 && 1 <= kind->most;

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/params/info.h"

namespace spindrift::render {

enum class ModuleKind { beauty, false_color, layer, text, composite, side_by_side, scale, encode };

constexpr std::array<std::string_view, 8> enum_words(ModuleKind) {
    return {"beauty", "false_color", "layer", "text", "composite", "side_by_side", "scale", "encode"};
}

/// What flows along a link. A layered picture is a picture as well.
enum class Port { picture, layered_picture, files };

struct KindInfo {
    ModuleKind kind;
    std::size_t fewest, most;  ///< inputs
    Port takes, gives;
    bool keeps_layers;                   ///< gives layers if it is given some
    std::vector<std::string_view> keys;  ///< besides name, kind and inputs
    std::string_view needs;              ///< the key without which it makes no sense; empty if there is none
};

const KindInfo& kind_info(ModuleKind kind);
const KindInfo* find_kind(std::string_view name);

/// All keys that some kinds use and others do not, each once.
std::vector<std::string_view> special_keys();

}  // namespace spindrift::render
