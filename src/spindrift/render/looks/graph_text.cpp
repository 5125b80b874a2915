#include "spindrift/render/looks/graph_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift::render {

namespace {

/// Calls `plain` with what stands between braces' pairs and `field` with what stands inside of them, in order.
template <class Plain, class Field>
void walk(std::string_view text, const Plain& plain, const Field& field) {
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
        if (close == std::string_view::npos) return plain(text);
        plain(text.substr(0, open));
        field(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
}

std::optional<std::string> value_of(std::string_view field, const TextFields& fields) {
    if (field == "scene") return fields.scene;
    if (field == "frame") return fmt::format("{}", fields.frame);
    if (field == "time") return fmt::format("{:.2f}", fields.time);
    if (field == "particles") return fmt::format("{}", fields.particles);
    return {};
}

}  // namespace

std::vector<std::string> text_fields() {
    return {"scene", "frame", "time", "particles"};
}

std::optional<std::string> unknown_field(std::string_view text) {
    std::optional<std::string> unknown;
    walk(
        text, [](std::string_view) {},
        [&](std::string_view field) {
            if (!unknown && !value_of(field, {})) unknown = std::string(field);
        });
    return unknown;
}

bool has_field(std::string_view text, std::string_view field) {
    bool found = false;
    walk(
        text, [](std::string_view) {}, [&](std::string_view each) { found = found || each == field; });
    return found;
}

std::string fill_in(std::string_view text, const TextFields& fields) {
    std::string line;
    walk(
        text, [&](std::string_view plain) { line += plain; },
        [&](std::string_view field) { line += value_of(field, fields).value_or(fmt::format("{{{}}}", field)); });
    return line;
}

}  // namespace spindrift::render
