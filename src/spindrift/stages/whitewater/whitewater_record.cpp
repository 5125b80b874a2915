#include "spindrift/stages/whitewater/whitewater_record.h"

#include <map>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/cache/series.h"
#include "spindrift/core/text.h"

namespace spindrift::stages {

namespace {

using Json = nlohmann::ordered_json;
using whitewater::cause_words;

constexpr auto kind_words = enum_words(whitewater::Kind{});

template <class Numbers, class Words>
Json table_of(const Numbers& numbers, const Words& words) {
    Json table = Json::object();
    for (std::size_t k = 0; k < numbers.size(); ++k)
        table[std::string(words[k])] = numbers[k];
    return table;
}

template <class Numbers, class Words>
void take(const Json& from, Numbers& numbers, const Words& words) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = from.value(std::string(words[k]), std::uint64_t{0});
}

}  // namespace

std::uint64_t WhitewaterRecord::total() const {
    return std::accumulate(kinds.begin(), kinds.end(), std::uint64_t{0});
}

std::string to_json(const WhitewaterRecord& r) {
    return Json{{"frame", r.frame},
                {"kinds", table_of(r.kinds, kind_words)},
                {"born", table_of(r.born, cause_words)},
                {"gone", r.gone},
                {"next_id", r.next_id},
                {"substeps", r.substeps},
                {"seconds", r.seconds}}
        .dump();
}

std::optional<WhitewaterRecord> whitewater_record(const io::FrameEntry& entry) {
    const Json state = Json::parse(entry.state, nullptr, false);
    if (!state.is_object() || !state.contains("counts") || !state["counts"].is_object()) return {};
    const Json& counts = state["counts"];
    WhitewaterRecord record;
    try {
        record.frame = entry.frame;
        take(counts.at("kinds"), record.kinds, kind_words);
        take(counts.at("born"), record.born, cause_words);
        record.gone = counts.value("gone", std::uint64_t{0});
        record.next_id = counts.at("next_id").get<std::int64_t>();
        record.substeps = counts.value("substeps", 0);
        record.seconds = counts.value("seconds", 0.0);
    } catch (const Json::exception&) {
        return {};
    }
    return record;
}

std::vector<WhitewaterRecord> whitewater_records(const io::Manifest& manifest) {
    std::map<int, WhitewaterRecord> by_frame;
    for (const auto& [name, list] : manifest.series) {
        if (!name.starts_with(fmt::format("{}/", cache::series::whitewater))) continue;
        for (const io::FrameEntry& entry : list.frames) {
            if (const std::optional<WhitewaterRecord> record = whitewater_record(entry))
                by_frame[entry.frame] = *record;
        }
    }
    std::vector<WhitewaterRecord> records;
    for (const auto& [frame, record] : by_frame)
        records.push_back(record);
    return records;
}

std::string describe(const WhitewaterRecord& record) {
    std::string text;
    for (std::size_t k = 0; k < record.kinds.size(); ++k) {
        if (record.kinds[k] > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(static_cast<double>(record.kinds[k])),
                                kind_words[k]);
    }
    return text.empty() ? "none" : text;
}

}  // namespace spindrift::stages
