#pragma once
// manifest.json: what a cache folder holds, frame by frame and stage by stage, and what it was made from.
//
//   Manifest m = load_manifest("dam_cache");
//   set_frame(m.stages["particles"], {42, "particles/water.0042.npz", bytes, hash, 1.75, R"({"dt": 0.01})"});
//   save_manifest("dam_cache", m);

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift::io {

inline constexpr std::string_view manifest_file = "manifest.json";
inline constexpr int manifest_version = 1;

struct FrameEntry {
    int frame = 0;
    std::string file;  ///< relative to the cache folder, inside it
    std::uint64_t bytes = 0;
    std::string hash;
    double time = 0;
    std::string state;  ///< JSON object with the solver state that is not a channel, kept verbatim; empty if none

    friend bool operator==(const FrameEntry&, const FrameEntry&) = default;
};

/// Frames in ascending order.
struct Stage {
    std::string inputs_hash;
    std::vector<FrameEntry> frames;

    friend bool operator==(const Stage&, const Stage&) = default;
};

struct Manifest {
    int version = manifest_version;
    std::string program_version;
    std::string scene_name;
    std::string scene_hash;
    std::string parameters = "{}";  ///< JSON object: the scene as it was resolved; comes back without blanks
    double fps = 24;
    std::map<std::string, Stage> stages;

    friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// Throws IoError: missing, or corrupt with the place and what is wrong there.
Manifest load_manifest(const std::filesystem::path& folder);
void save_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// nullptr if there is no such frame.
const FrameEntry* find_frame(const Stage& stage, int frame);
const FrameEntry* find_frame(const Manifest& manifest, const std::string& stage, int frame);

/// Puts the entry at its place; an entry of the same frame is replaced.
void set_frame(Stage& stage, FrameEntry entry);

/// Forgets this frame and all after it; the files stay.
void drop_frames_from(Stage& stage, int frame);

}  // namespace spindrift::io
