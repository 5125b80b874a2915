#include "spindrift/params/info.h"

#include <fmt/format.h>

#include "spindrift/params/value.h"

namespace spindrift {

std::string describe_limits(const Limits& limits, std::string_view unit) {
    const std::string tail = unit.empty() ? "" : fmt::format(" {}", unit);
    const std::string lo = format_number(limits.lo), hi = format_number(limits.hi);
    if (limits.has_lo() && limits.has_hi())
        return limits.above_lo ? fmt::format("more than {}, at most {}{}", lo, hi, tail)
                               : fmt::format("{} to {}{}", lo, hi, tail);
    if (limits.has_lo()) return fmt::format("{} {}{}", limits.above_lo ? "more than" : "at least", lo, tail);
    if (limits.has_hi()) return fmt::format("at most {}{}", hi, tail);
    return "";
}

std::vector<std::string> affects_words(Affects affects) {
    std::vector<std::string> words;
    const auto add = [&](Affects each, const char* word) {
        if (intersects(affects, each)) words.emplace_back(word);
    };
    add(Affects::simulation, "simulation");
    add(Affects::surface, "surface");
    add(Affects::look, "look");
    add(Affects::output, "output");
    add(Affects::whitewater, "whitewater");
    return words;
}

}  // namespace spindrift
