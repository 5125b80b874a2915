#pragma once
// What the whitewater of a frame counts, in the manifest, in whitewater/statistics.jsonl and in messages.
//
//   std::string line = to_json(record);
//   std::vector<WhitewaterRecord> all = whitewater_records(manifest);

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/io/manifest.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::stages {

struct WhitewaterRecord {
    int frame = 0;
    std::array<std::uint64_t, whitewater::kind_count> kinds{};  ///< that there are
    std::array<std::uint64_t, whitewater::cause_count> born{};  ///< since the frame before
    std::uint64_t gone = 0;
    std::int64_t next_id = 0;
    int substeps = 0;
    double seconds = 0;

    std::uint64_t total() const;
    friend bool operator==(const WhitewaterRecord&, const WhitewaterRecord&) = default;
};

/// A JSON object without a line break.
std::string to_json(const WhitewaterRecord& record);

/// Of an entry of the manifest, if it tells.
std::optional<WhitewaterRecord> whitewater_record(const io::FrameEntry& entry);

/// Of all frames that have whitewater.
std::vector<WhitewaterRecord> whitewater_records(const io::Manifest& manifest);

/// "12 k spray, 40 k foam, 3 k bubbles".
std::string describe(const WhitewaterRecord& record);

}  // namespace spindrift::stages
