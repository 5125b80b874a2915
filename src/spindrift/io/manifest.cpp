#include "spindrift/io/manifest.h"

#include <algorithm>
#include <filesystem>

#include "spindrift/core/errors.h"

namespace spindrift::io {

namespace {

template <class Frames>
auto first_not_before(Frames& frames, int frame) {
    return std::ranges::lower_bound(frames, frame, {}, &FrameEntry::frame);
}

}  // namespace

bool stays_inside(const std::string& file) {
    const std::filesystem::path path(file);
    return !file.empty() && file.find('\0') == std::string::npos && path.is_relative() &&
           std::ranges::none_of(path, [](const std::filesystem::path& part) { return part == ".."; });
}

const FrameEntry* find_frame(const FrameList& stage, int frame) {
    const auto place = first_not_before(stage.frames, frame);
    return place != stage.frames.end() && place->frame == frame ? &*place : nullptr;
}

const FrameEntry* find_frame(const Manifest& manifest, const std::string& stage, int frame) {
    const auto place = manifest.series.find(stage);
    return place != manifest.series.end() ? find_frame(place->second, frame) : nullptr;
}

void set_frame(FrameList& stage, FrameEntry entry) {
    SPINDRIFT_CHECK(stays_inside(entry.file));
    const auto place = first_not_before(stage.frames, entry.frame);
    if (place != stage.frames.end() && place->frame == entry.frame) {
        *place = std::move(entry);
    } else {
        stage.frames.insert(place, std::move(entry));
    }
}

}  // namespace spindrift::io
