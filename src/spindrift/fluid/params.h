#pragma once
// The methods that can move a liquid.
//
//   if (fluid::on_grid(fluid::Method::flip)) use("one spacing for all liquids");

#include <array>
#include <string_view>

namespace spindrift::fluid {

enum class Method { pbf, flip, apic, pic };

constexpr std::array<std::string_view, 4> enum_words(Method) {
    return {"pbf", "flip", "apic", "pic"};
}

/// Whether pressure is found on a grid, through which particles carry the liquid.
constexpr bool on_grid(Method method) {
    return method != Method::pbf;
}

}  // namespace spindrift::fluid
