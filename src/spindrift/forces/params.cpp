#include "spindrift/forces/params.h"

namespace spindrift::forces {

namespace {

/// The types that use a key, in the order of ForceType; keys that all types use are not here.
struct Use {
    std::string_view key;
    bool by[enum_words(ForceType{}).size()];
};

constexpr Use uses[] = {
    {"acceleration", {true, false, false, false, false, false}}, {"position", {false, true, true, true, true, true}},
    {"axis", {false, false, true, true, false, false}},          {"strength", {false, true, true, true, false, true}},
    {"radius", {false, true, true, true, true, true}},           {"falloff", {false, true, true, true, true, true}},
    {"rate", {false, false, false, false, true, false}},         {"wind", {false, false, false, false, true, false}},
    {"scale", {false, false, false, false, false, true}},        {"speed", {false, false, false, false, false, true}},
    {"seed", {false, false, false, false, false, true}},
};

void check_unused_keys(ForceType type, const Checker& checker) {
    const auto index = static_cast<std::size_t>(type);
    std::string used;
    for (const Use& use : uses) {
        if (use.by[index]) used += (used.empty() ? "" : ", ") + std::string(use.key);
    }
    for (const Use& use : uses) {
        if (use.by[index] || !checker.given(use.key)) continue;
        checker.problem(use.key, "not used by a force of type '" + std::string(word(type)) + "', which uses: " + used);
    }
}

}  // namespace

void ForceParams::check(const Checker& checker) const {
    check_unused_keys(type, checker);
    if (type == ForceType::line || type == ForceType::vortex) checker.direction("axis", axis);
    if ((type == ForceType::drag || type == ForceType::noise) && !radius) {
        for (const std::string_view key : {"position", "falloff"}) {
            if (checker.given(key)) checker.problem(key, "has no effect without a region; add radius = 1");
        }
    }
    if (active && (*active)[0] > (*active)[1])
        checker.problem("active", "the last frame comes before the first; write [first, last]");
}

}  // namespace spindrift::forces
