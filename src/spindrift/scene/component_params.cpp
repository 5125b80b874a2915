#include "spindrift/scene/component_params.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/params/value.h"

namespace spindrift {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// What people type for thirds adds up to this much of 1.
constexpr double sum_tolerance = 1e-4;

double sum_at(const AnimatedTable& mix, double frame) {
    return std::accumulate(mix.entries.begin(), mix.entries.end(), 0.0,
                           [&](double sum, const AnimatedTable::Entry& entry) { return sum + entry.value.at(frame); });
}

/// Frames at which a curve may turn, and those in the middle between two of them.
std::vector<double> looked_at(const AnimatedTable& mix) {
    std::set<double> keys{0};
    for (const AnimatedTable::Entry& entry : mix.entries) {
        for (const auto& key : entry.value.keys)
            keys.insert(key.frame);
    }
    std::vector<double> frames(keys.begin(), keys.end());
    const std::size_t count = frames.size();
    for (std::size_t k = 1; k < count; ++k)
        frames.push_back(0.5 * (frames[k - 1] + frames[k]));
    return frames;
}

std::vector<std::string> unnamed_in(const std::vector<ComponentParams>& components, const AnimatedTable& mix) {
    std::vector<std::string> names;
    for (const ComponentParams& component : components) {
        if (!mix.find(component.name)) names.push_back(component.name);
    }
    return names;
}

}  // namespace

void ComponentParams::check(const Checker& checker) const {
    constexpr std::size_t longest = 50;
    const bool fits =
        !name.empty() && std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    if (!fits)
        checker.problem("name", fmt::format("{} cannot name a component, whose channel is called mix_<name>; use "
                                            "letters, digits and _",
                                            in_quotes(name)));
    else if (name.size() > longest)
        checker.problem(
            "name", fmt::format("{} is too long for a component; use at most {} letters", in_quotes(name), longest));
    if (grain && !settling_speed && !density && !material)
        checker.problem("grain", "grains sink by what they weigh; add density = 2650, or settling_speed");
}

std::string share_channel(std::string_view component) {
    return fmt::format("mix_{}", component);
}

std::vector<double> shares_of(const std::vector<ComponentParams>& components, const AnimatedTable& mix, double frame) {
    std::vector<double> shares;
    const double sum = sum_at(mix, frame);
    const std::size_t unnamed = unnamed_in(components, mix).size();
    const double rest = unnamed == 1 ? std::max(0.0, 1 - sum) : 0;
    for (const ComponentParams& component : components) {
        const Animated<double>* given = mix.find(component.name);
        shares.push_back((given ? given->at(frame) : rest) / (sum + rest));
    }
    return shares;
}

std::string mix_problem(const std::vector<ComponentParams>& components, const AnimatedTable& mix) {
    const std::vector<std::string> unnamed = unnamed_in(components, mix);
    for (const double frame : looked_at(mix)) {
        const double sum = sum_at(mix, frame);
        const bool moves = std::ranges::any_of(mix.entries, [](const auto& entry) { return entry.value.moves(); });
        const std::string when = moves ? fmt::format(" at frame {}", format_number(frame)) : "";
        if (sum > 1 + sum_tolerance)
            return fmt::format(
                "mix: the shares add up to {}{}, and a particle has no room for more than 1; make them "
                "smaller",
                format_number(sum), when);
        if (sum > 1 - sum_tolerance || unnamed.size() == 1) continue;
        if (unnamed.empty())
            return fmt::format(
                "mix: the shares add up to {}{} in place of 1; make them larger, or leave one name out, "
                "which takes the rest",
                format_number(sum), when);
        return fmt::format(
            "mix: the shares add up to {}{}, and it is not said which of {} is the rest; name all but "
            "one of them",
            format_number(sum), when, fmt::join(unnamed, ", "));
    }
    return "";
}

}  // namespace spindrift
