#include "spindrift/stages/run/run_record.h"

#include <chrono>
#include <ctime>

#include <nlohmann/json.hpp>

#include "spindrift/core/build_info.h"
#include "spindrift/core/version.h"

namespace spindrift::stages {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_records = 100;

/// As in 2026-01-31T23:59:59Z.
std::string now() {
    const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&time, &utc);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%FT%TZ", &utc)};
}

/// Whatever the manifest of an older or another program has there.
Json records_of(const io::Manifest& manifest) {
    Json records = Json::parse(manifest.runs, nullptr, false);
    return records.is_array() ? records : Json::array();
}

std::string print(const Json& records) {
    return records.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void begin_record(io::Manifest& manifest, const std::string& command) {
    const BuildInfo build = build_info();
    Json records = records_of(manifest);
    while (records.size() >= most_records)
        records.erase(records.begin());
    records.push_back({{"command", command},
                       {"version", program_version},
                       {"commit", build.commit},
                       {"compiler", build.compiler},
                       {"instructions", build.instructions},
                       {"started", now()}});
    manifest.runs = print(records);
}

void end_record(io::Manifest& manifest, const std::string& how) {
    Json records = records_of(manifest);
    if (records.empty() || !records.back().is_object()) return;
    records.back()["ended"] = now();
    records.back()["result"] = how;
    manifest.runs = print(records);
}

}  // namespace spindrift::stages
