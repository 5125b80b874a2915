#include "spindrift/io/manifest.h"

#include <algorithm>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/io/format_problem.h"
#include "spindrift/io/json_forms.h"

namespace spindrift::io {

namespace fs = std::filesystem;

namespace {

/// Whether a file named in a manifest stays inside the cache folder.
bool stays_inside(const std::string& file) {
    const fs::path path(file);
    return !file.empty() && file.find('\0') == std::string::npos && path.is_relative() &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

template <class Frames>
auto first_not_before(Frames& frames, int frame) {
    return std::ranges::lower_bound(frames, frame, {}, &FrameEntry::frame);
}

/// What the JSON form cannot tell: files outside of the cache, frames out of order.
void check_frames(const std::string& name, const Stage& stage) {
    const auto not_ascending = [](const FrameEntry& a, const FrameEntry& b) { return a.frame >= b.frame; };
    if (std::ranges::adjacent_find(stage.frames, not_ascending) != stage.frames.end()) {
        throw FormatProblem(fmt::format("manifest is damaged: the frames of stage '{}' are out of order", name));
    }
    for (const FrameEntry& entry : stage.frames) {
        if (!stays_inside(entry.file)) {
            throw FormatProblem(fmt::format("manifest is damaged: frame {} of stage '{}' is not inside the cache: '{}'",
                                            entry.frame, name, entry.file));
        }
    }
}

}  // namespace

Manifest load_manifest(const fs::path& folder) {
    const fs::path path = folder / manifest_file;
    if (std::error_code error; !fs::exists(path, error)) {
        throw IoError(IoError::Kind::missing, folder, fmt::format("this is not a cache: it has no {}", manifest_file));
    }
    try {
        Manifest manifest = manifest_from_json(read_file(path));
        for (const auto& [name, stage] : manifest.stages)
            check_frames(name, stage);
        return manifest;
    } catch (const FormatProblem& problem) {
        throw IoError(IoError::Kind::corrupt, path, problem.what());
    }
}

void save_manifest(const fs::path& folder, const Manifest& manifest) {
    write_file(folder / manifest_file, manifest_to_json(manifest));
}

const FrameEntry* find_frame(const Stage& stage, int frame) {
    const auto place = first_not_before(stage.frames, frame);
    return place != stage.frames.end() && place->frame == frame ? &*place : nullptr;
}

const FrameEntry* find_frame(const Manifest& manifest, const std::string& stage, int frame) {
    const auto place = manifest.stages.find(stage);
    return place != manifest.stages.end() ? find_frame(place->second, frame) : nullptr;
}

void set_frame(Stage& stage, FrameEntry entry) {
    SPINDRIFT_CHECK(stays_inside(entry.file));
    const auto place = first_not_before(stage.frames, entry.frame);
    if (place != stage.frames.end() && place->frame == entry.frame) {
        *place = std::move(entry);
    } else {
        stage.frames.insert(place, std::move(entry));
    }
}

void drop_frames_from(Stage& stage, int frame) {
    stage.frames.erase(first_not_before(stage.frames, frame), stage.frames.end());
}

}  // namespace spindrift::io
