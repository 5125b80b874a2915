#include "cli/info_whitewater.h"

#include "cli/info_meshes.h"
#include "cli/json.h"
#include <fmt/format.h>

namespace spindrift::cli {

std::string whitewater_plots(const std::vector<stages::WhitewaterRecord>& records) {
    if (records.empty()) return "";
    std::string text =
        fmt::format("\nwhitewater, last frame {}: {}\n", records.back().frame, stages::describe(records.back()));
    if (records.size() == 1) return text;
    for (std::size_t k = 0; k < whitewater::kind_count; ++k) {
        std::vector<double> values;
        double sum = 0;
        for (const stages::WhitewaterRecord& record : records) {
            values.push_back(static_cast<double>(record.kinds[k]));
            sum += values.back();
        }
        if (sum > 0) text += plot_line(std::string(enum_words(whitewater::Kind{})[k]).c_str(), "", values);
    }
    return text;
}

Value whitewater_list(const std::vector<stages::WhitewaterRecord>& records) {
    Value::Array list;
    for (const stages::WhitewaterRecord& r : records) {
        Value kinds = Value::table(), born = Value::table();
        for (std::size_t k = 0; k < r.kinds.size(); ++k)
            kinds.set(std::string(enum_words(whitewater::Kind{})[k]), json_count(r.kinds[k]));
        for (std::size_t k = 0; k < r.born.size(); ++k)
            born.set(std::string(whitewater::cause_words[k]), json_count(r.born[k]));
        list.push_back(json_table({{"frame", Value(std::int64_t{r.frame})},
                                   {"kinds", std::move(kinds)},
                                   {"born", std::move(born)},
                                   {"gone", json_count(r.gone)},
                                   {"substeps", Value(std::int64_t{r.substeps})},
                                   {"seconds", Value(r.seconds)}}));
    }
    return Value(std::move(list));
}

}  // namespace spindrift::cli
