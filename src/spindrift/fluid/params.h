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

/// PIC and its kin; `own` bytes ride along with each particle.
constexpr MethodInfo grid_method(Method method, std::string_view word, double own = 0) {
    return {.method = method,
            .word = word,
            .settings = "flip",
            .grid = true,
            .bytes = 150 + own,
            .frame_bytes = 40 + own,
            .seconds = 0.08e-6};
}

/// In the order of Method.
inline constexpr std::array methods{
    MethodInfo{.method = Method::pbf,
               .word = "pbf",
               .settings = "solver",
               .iterates = true,
               .densities = true,
               .spacings = true,
               .tensions = true,
               .bytes = 215,
               .frame_bytes = 40,
               .seconds = 0.25e-6},
    grid_method(Method::flip, "flip"),
    grid_method(Method::apic, "apic", 36),  // gradients of velocities
    grid_method(Method::pic, "pic"),
};

constexpr const MethodInfo& info_of(Method method) {
    return methods[static_cast<std::size_t>(method)];
}
static_assert([] {
    for (const MethodInfo& each : methods) {
        if (info_of(each.method).word != each.word) return false;
    }
    return true;
}());

constexpr std::array<std::string_view, methods.size()> enum_words(Method) {
    std::array<std::string_view, methods.size()> words;
    for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = methods[k].word;
    return words;
}

}  // namespace spindrift::fluid
