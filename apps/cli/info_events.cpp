#include "cli/info_events.h"

#include <algorithm>

#include "cli/json.h"
#include <fmt/format.h>

#include "spindrift/health/health.h"

namespace spindrift::cli {

namespace {

/// Events that differ in numbers and places only.
struct Kind {
    std::string name;
    int first = 0, last = 0;  ///< frames that had it
    std::size_t frames = 0;
    std::string text;  ///< of the last
};

std::vector<Kind> kinds_of(const std::vector<io::FrameStatistics>& statistics) {
    std::vector<Kind> kinds;
    for (const io::FrameStatistics& s : statistics) {
        for (const std::string& event : s.events) {
            const std::string name(health::kind_of(event));
            auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return k.name == name; });
            if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {.name = name, .first = s.frame, .text = ""});
            kind->last = s.frame;
            kind->frames += 1;
            kind->text = event;
        }
    }
    return kinds;
}

}  // namespace

std::string event_table(const std::vector<io::FrameStatistics>& statistics) {
    std::string text;
    for (const Kind& kind : kinds_of(statistics)) {
        text += kind.frames == 1 ? fmt::format("  frame {}", kind.first)
                                 : fmt::format("  {} frames, {} to {}", kind.frames, kind.first, kind.last);
        text += fmt::format(": {}\n", kind.text);
    }
    return text.empty() ? text : "events\n" + text;
}

Value event_list(const std::vector<io::FrameStatistics>& statistics) {
    Value::Array list;
    for (const Kind& kind : kinds_of(statistics)) {
        list.push_back(json_table({{"kind", Value(kind.name)},
                                   {"first", Value(std::int64_t{kind.first})},
                                   {"last", Value(std::int64_t{kind.last})},
                                   {"frames", json_count(kind.frames)},
                                   {"text", Value(kind.text)}}));
    }
    return Value(std::move(list));
}

}  // namespace spindrift::cli
