#pragma once
// manifest.json: what a cache folder holds, series by series and frame by frame, and what it was made from.
//
//   Manifest m = load_manifest("dam_cache");          // cache/manifest_file.h
//   set_frame(m.series["particles"], {42, "particles/water.0042.npz", bytes, hash, 1.75, R"({"dt": 0.01})"});

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift::io {

inline constexpr std::string_view manifest_file = "manifest.json";
inline constexpr int manifest_version = 1;

struct FrameTime {
    int frame = 0;
    double time = 0;  ///< s
};

struct FrameEntry {
    int frame = 0;
    std::string file;  ///< relative to the cache folder, inside it
    std::uint64_t bytes = 0;
    std::string hash;
    double time = 0;
    std::string state;  ///< JSON object with the solver state that is not a channel, kept verbatim; empty if none

    friend bool operator==(const FrameEntry&, const FrameEntry&) = default;
};

/// Files of one kind, with frames in ascending order.
struct FrameList {
    std::string inputs_hash;
    std::vector<FrameEntry> frames;

    friend bool operator==(const FrameList&, const FrameList&) = default;
};

struct Manifest {
    int version = manifest_version;
    std::string program_version;
    std::string scene_name;
    std::string scene_hash;
    std::string parameters = "{}";  ///< JSON object: the scene as it was resolved; comes back without blanks
    double fps = 24;
    std::map<std::string, FrameList> series;
    std::string runs = "[]";  ///< JSON array: an object for each call that simulated, with command, program and times

    friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// Whether a file named in a manifest stays inside the cache folder.
bool stays_inside(const std::string& file);

/// nullptr if there is no such frame.
const FrameEntry* find_frame(const FrameList& stage, int frame);
const FrameEntry* find_frame(const Manifest& manifest, const std::string& stage, int frame);

/// Puts the entry at its place; an entry of the same frame is replaced.
void set_frame(FrameList& stage, FrameEntry entry);

}  // namespace spindrift::io
