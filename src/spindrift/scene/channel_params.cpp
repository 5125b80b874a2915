#include "spindrift/scene/channel_params.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/params/value.h"

namespace spindrift {

namespace {

/// Words that mean something else where a channel's name may stand.
constexpr std::string_view taken_words[] = {"speed", "liquid", "auto", "density_error"};

bool is_taken(std::string_view name) {
    return find_channel_info(name) || std::ranges::find(taken_words, name) != std::end(taken_words);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string name_problem(const std::string& name) {
    constexpr std::size_t longest = 64;
    const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    if (name.empty() || !is_letter(name.front()) || !std::all_of(name.begin(), name.end(), fits))
        return fmt::format("{} cannot name a channel; use letters, digits and _, a letter first", in_quotes(name));
    if (name.size() > longest)
        return fmt::format("{} is too long for a channel; use at most {} letters", in_quotes(name), longest);
    if (is_taken(name))
        return fmt::format("{0} has a meaning already; choose another name, such as 'my_{1}'", in_quotes(name), name);
    return "";
}

}  // namespace

void ChannelParams::check(const Checker& checker) const {
    if (const std::string problem = name_problem(name); !problem.empty()) checker.problem("name", problem);
    constexpr std::size_t longest_unit = 16;
    if (unit.size() > longest_unit)
        checker.problem("unit",
                        fmt::format("{} does not fit a legend; use at most {} letters", in_quotes(unit), longest_unit));
    if (!initial) return;
    if (const std::string problem = channel_value_problem(type, *initial); !problem.empty())
        checker.problem("default", problem);
}

std::string channel_value_problem(ChannelForm form, const Numbers& value) {
    const bool three = value.values.size() == 3;
    if (form == ChannelForm::vector)
        return three ? "" : "the channel is of type vec3: expected three numbers [x, y, z]";
    if (three) return fmt::format("the channel is of type {}: expected one number", word(form));
    constexpr double largest = 2147483647;
    const double number = value.values.front();
    if (form == ChannelForm::whole && (number != std::trunc(number) || std::abs(number) > largest))
        return fmt::format("the channel is of type int: expected a whole number of at most {}, found {}",
                           format_number(largest), format_number(number));
    return "";
}

}  // namespace spindrift
