#include "spindrift/render/looks/graph_params.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/text.h"
#include "spindrift/render/looks/graph_kinds.h"
#include "spindrift/render/looks/graph_text.h"

namespace spindrift::render {

namespace {

void check_keys(const KindInfo& kind, const Checker& checker) {
    for (const std::string_view key : special_keys()) {
        if (!checker.given(key) || std::find(kind.keys.begin(), kind.keys.end(), key) != kind.keys.end()) continue;
        checker.problem(key, fmt::format("a module of kind {} does not use it; it uses: {}", word(kind.kind),
                                         fmt::join(kind.keys, ", ")));
    }
    if (!kind.needs.empty() && !checker.given(kind.needs))
        checker.problem(fmt::format("'{0}' is missing; a module of kind {1} needs it", kind.needs, word(kind.kind)));
}

std::string count_words(const KindInfo& kind) {
    if (kind.most == 0) return "no inputs, since it shows the cache itself";
    if (kind.fewest == kind.most) return kind.most == 1 ? "one input" : fmt::format("{} inputs", kind.most);
    return fmt::format("{} to {} inputs", kind.fewest, kind.most);
}

void check_text(const std::string& text, const Checker& checker) {
    if (const auto unknown = unknown_field(text)) {
        const std::string near = suggestion(unknown->substr(0, 200), text_fields());
        checker.problem("text",
                        fmt::format("{} in braces is nothing that can be filled in{}", in_quotes(*unknown),
                                    near.empty() ? "; there are {scene}, {frame}, {time} and {particles}" : near));
    }
}

}  // namespace

void ModuleParams::check(const Checker& checker) const {
    const KindInfo* known = find_kind(kind);
    if (!known) return;  // The name of a sub-graph, or a mistake that check_graph() tells.
    check_keys(*known, checker);
    if (inputs.size() < known->fewest || inputs.size() > known->most)
        checker.problem("inputs",
                        fmt::format("a module of kind {} takes {}, and {} given", kind, count_words(*known),
                                    inputs.size() == 1 ? std::string("1 is") : fmt::format("{} are", inputs.size())));
    if (range && !((*range)[0] < (*range)[1])) checker.problem("range", "the low end must be below the high end");
    if (!labels.empty() && labels.size() != inputs.size())
        checker.problem("labels",
                        fmt::format("there are {} for {} pictures; give one for each", labels.size(), inputs.size()));
    check_text(text, checker);
}

}  // namespace spindrift::render
