#include "spindrift/sim/stage_inputs.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/sim/run.h"

namespace spindrift::sim {

std::vector<io::FrameEntry> frames_between(const io::Manifest& manifest, const std::filesystem::path& folder,
                                           std::optional<int> first, std::optional<int> last, const char* purpose) {
    const auto stage = manifest.stages.find(particle_stage);
    if (stage == manifest.stages.end() || stage->second.frames.empty())
        throw IoError(IoError::Kind::missing, folder,
                      fmt::format("the cache has no frames {} yet; simulate some with `spindrift run`", purpose));
    const std::vector<io::FrameEntry>& all = stage->second.frames;
    const int from = first.value_or(all.front().frame), to = last.value_or(all.back().frame);
    std::vector<io::FrameEntry> frames;
    for (const io::FrameEntry& entry : all) {
        if (entry.frame >= from && entry.frame <= to) frames.push_back(entry);
    }
    if (frames.empty())
        throw UsageError(fmt::format("the cache has no frames from {} to {}; it has {} to {}", from, to,
                                     all.front().frame, all.back().frame));
    return frames;
}

std::vector<std::string> safe_file_names(std::vector<std::string> names, const char* what) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string& name = names[i];
        if (name.empty()) name = fmt::format("{}_{}", what, i);
        for (char& c : name) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte < 128 && !std::isalnum(byte) && c != '_' && c != '-') c = '_';
        }
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(names.begin(), end, name) != end) name += fmt::format("_{}", i);
    }
    return names;
}

}  // namespace spindrift::sim
