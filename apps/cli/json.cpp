#include "cli/json.h"

#include "spindrift/scene/json.h"

namespace spindrift::cli {

Value json_table(const std::vector<std::pair<std::string, Value>>& members) {
    Value table = Value::table();
    for (const auto& [key, value] : members)
        table.set(key, value);
    return table;
}

Value json_count(std::size_t count) {
    return Value(static_cast<std::int64_t>(count));
}

std::string json_line(const Value& value) {
    // Line breaks inside strings are escaped: those of the text separate members only.
    std::string line;
    bool indent = false;
    for (const char c : json_text(value)) {
        if (c == '\n') indent = true;
        if (indent && (c == '\n' || c == ' ')) continue;
        indent = false;
        line += c;
    }
    return line;
}

}  // namespace spindrift::cli
