#include "spindrift/geometry/sequence.h"

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

namespace spindrift::geometry {

namespace {

constexpr std::size_t runs_told = 8;

std::string padded(int frame, std::size_t digits) {
    const std::string number = std::to_string(std::llabs(frame));
    const std::string zeros(number.size() < digits ? digits - number.size() : 0, '0');
    return (frame < 0 ? "-" : "") + zeros + number;
}

}  // namespace

bool is_sequence(const std::filesystem::path& pattern) {
    return pattern.filename().string().find('#') != std::string::npos;
}

std::filesystem::path frame_file(const std::filesystem::path& pattern, int frame) {
    std::string name = pattern.filename().string();
    const std::size_t last = name.rfind('#');
    if (last == std::string::npos) return pattern;
    const std::size_t before = name.find_last_not_of('#', last), first = before == std::string::npos ? 0 : before + 1;
    name.replace(first, last + 1 - first, padded(frame, last + 1 - first));
    return pattern.parent_path() / name;
}

std::vector<int> missing_frames(const std::filesystem::path& pattern, int first, int last) {
    std::vector<int> missing;
    for (long long frame = first; frame <= last; ++frame) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(frame_file(pattern, static_cast<int>(frame)), ignored))
            missing.push_back(static_cast<int>(frame));
    }
    return missing;
}

std::string describe_frames(std::span<const int> frames) {
    std::string text;
    std::size_t i = 0;
    for (std::size_t run = 0; i < frames.size() && run < runs_told; ++run) {
        std::size_t j = i;
        while (j + 1 < frames.size() && frames[j + 1] == frames[j] + 1)
            ++j;
        if (!text.empty()) text += ", ";
        text += i == j ? fmt::format("{}", frames[i]) : fmt::format("{}-{}", frames[i], frames[j]);
        i = j + 1;
    }
    if (i < frames.size()) text += fmt::format(" and {} more", frames.size() - i);
    return text;
}

}  // namespace spindrift::geometry
