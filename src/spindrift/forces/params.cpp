#include "spindrift/forces/params.h"

#include <concepts>

namespace spindrift::forces {

namespace {

/// A bit for each type.
template <std::same_as<ForceType>... Types>
constexpr unsigned bits(Types... types) {
    return ((1u << static_cast<unsigned>(types)) | ...);
}

/// The types that use a key; keys that all types use are not here.
struct Use {
    std::string_view key;
    unsigned types;

    bool by(ForceType type) const { return (types & bits(type)) != 0; }
};

using enum ForceType;
constexpr Use uses[] = {
    {"acceleration", bits(constant)},
    {"position", bits(point, line, vortex, drag, noise)},
    {"axis", bits(line, vortex)},
    {"strength", bits(point, line, vortex, noise)},
    {"radius", bits(point, line, vortex, drag, noise)},
    {"falloff", bits(point, line, vortex, drag, noise)},
    {"rate", bits(drag)},
    {"wind", bits(drag)},
    {"scale", bits(noise)},
    {"speed", bits(noise)},
    {"seed", bits(noise)},
};

void check_unused_keys(ForceType type, const Checker& checker) {
    std::string used;
    for (const Use& use : uses) {
        if (use.by(type)) used += (used.empty() ? "" : ", ") + std::string(use.key);
    }
    for (const Use& use : uses) {
        if (use.by(type) || !checker.given(use.key)) continue;
        checker.problem(use.key, "not used by a force of type '" + std::string(word(type)) + "', which uses: " + used);
    }
}

}  // namespace

void ForceParams::check(const Checker& checker) const {
    check_unused_keys(type, checker);
    if (type == line || type == vortex) checker.direction("axis", axis);
    if ((type == drag || type == noise) && !radius) {
        for (const std::string_view key : {"position", "falloff"}) {
            if (checker.given(key)) checker.problem(key, "has no effect without a region; add radius = 1");
        }
    }
    if (active && (*active)[0] > (*active)[1])
        checker.problem("active", "the last frame comes before the first; write [first, last]");
}

}  // namespace spindrift::forces
