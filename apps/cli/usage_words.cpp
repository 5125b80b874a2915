#include "cli/usage_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "spindrift/params/value.h"

namespace spindrift::cli {

namespace {

std::optional<double> as_number(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(number)) return {};
    return number;
}

std::string not_a_number(const std::string& option, const std::string& typed) {
    std::string with_point = typed;
    std::ranges::replace(with_point, ',', '.');
    if (as_number(typed)) {
        const bool whole = std::floor(*as_number(typed)) == *as_number(typed);
        return fmt::format("{}: {}", option,
                           whole ? fmt::format("{} is too large", typed)
                                 : fmt::format("expected a whole number, found {}", in_quotes(typed)));
    }
    if (as_number(with_point))
        return fmt::format("{}: numbers have a point, not a comma; write {}", option, with_point);
    return fmt::format("{}: expected a number, found {}", option, in_quotes(typed));
}

}  // namespace

std::string usage_words(const std::string& kind, const std::string& said) {
    std::smatch part;
    const auto is = [&](const char* form) { return std::regex_match(said, part, std::regex(form)); };
    if (kind == "ConversionError" && is("Could not convert: (\\S+) = ([^]*)"))
        return not_a_number(part[1].str(), part[2].str());
    if (kind == "ArgumentMismatch" && is("(\\S+): \\d+ required (\\S+) missing"))
        return fmt::format("{} needs a value: {} {}", part[1].str(), part[1].str(), part[2].str());
    if (kind == "ArgumentMismatch" && is("(\\S+): At Most 1 required but received (\\d+)"))
        return fmt::format("{} is given {} times; give it once", part[1].str(), part[2].str());
    if (kind == "ValidationError" && is("(\\S+): Value ([^]*) not in range (\\S+) to (\\S+)"))
        return fmt::format("{}: expected a whole number from {} to {}, found {}", part[1].str(), part[3].str(),
                           part[4].str(), in_quotes(part[2].str()));
    // Old names are in no help, and have no name there.
    if (kind == "ExcludesError" && is("(\\S+) excludes ?\\S*"))
        return fmt::format("{} is given under its old name as well; give it once", part[1].str());
    return said;
}

}  // namespace spindrift::cli
