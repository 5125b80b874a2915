#pragma once
// The methods that can move a liquid, and what each of them can: scenes are checked and estimated by this table.
//
//   if (!fluid::info_of(Method::flip).spacings) use("one spacing for all liquids");

#include <array>
#include <cstddef>
#include <string_view>

namespace spindrift::fluid {

enum class Method { pbf, flip, apic, pic };

struct MethodInfo {
    Method method;
    std::string_view word;
    std::string_view settings;  ///< the scene's table of its own; substeps are everybody's
    bool grid = false;          ///< finds pressure on a grid, through which particles carry the liquid
    bool iterates = false;   ///< projects constraints in iterations: has levels of detail, and takes those of programs
    bool densities = false;  ///< liquids may differ in density,
    bool spacings = false;   ///< in spacing,
    bool tensions = false;   ///< and in surface tension
    /// Of a particle in a run with one liquid: bytes in memory and in a frame, and a first guess of the seconds that it
    /// takes in a substep on two cores.
    double bytes = 0, frame_bytes = 0, seconds = 0;
};

/// In the order of Method.
inline constexpr std::array<MethodInfo, 4> methods{{
    {.method = Method::pbf,
     .word = "pbf",
     .settings = "solver",
     .iterates = true,
     .densities = true,
     .spacings = true,
     .tensions = true,
     .bytes = 165,
     .frame_bytes = 40,
     .seconds = 0.25e-6},
    {.method = Method::flip,
     .word = "flip",
     .settings = "flip",
     .grid = true,
     .bytes = 150,
     .frame_bytes = 40,
     .seconds = 0.08e-6},
    // Gradients of velocities ride along.
    {.method = Method::apic,
     .word = "apic",
     .settings = "flip",
     .grid = true,
     .bytes = 186,
     .frame_bytes = 76,
     .seconds = 0.08e-6},
    {.method = Method::pic,
     .word = "pic",
     .settings = "flip",
     .grid = true,
     .bytes = 150,
     .frame_bytes = 40,
     .seconds = 0.08e-6},
}};

constexpr const MethodInfo& info_of(Method method) {
    return methods[static_cast<std::size_t>(method)];
}

constexpr std::array<std::string_view, methods.size()> enum_words(Method) {
    std::array<std::string_view, methods.size()> words;
    for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = methods[k].word;
    return words;
}

}  // namespace spindrift::fluid
