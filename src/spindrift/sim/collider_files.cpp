#include "spindrift/sim/collider_files.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "spindrift/geometry/sequence.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;

struct Numbers {
    int first = std::numeric_limits<int>::max(), last = std::numeric_limits<int>::min();
};

/// The number of a sequence's file, by its name; nothing if it is another file.
std::optional<int> file_number(const std::string& name, const std::string& before, const std::string& after) {
    constexpr std::size_t most_digits = 9;
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return {};
    const std::string digits = name.substr(before.size(), name.size() - before.size() - after.size());
    const bool is_number = std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!is_number || digits.size() > most_digits) return {};
    return std::stoi(digits);
}

/// Numbers of the first and the last file of a sequence that there are; nothing if there is none.
std::optional<Numbers> sequence_numbers(const fs::path& pattern) {
    const std::string name = pattern.filename().string();
    const std::size_t end = name.find_last_of('#') + 1, begin = name.find_last_not_of('#', end - 1) + 1;
    const std::string before = name.substr(0, begin), after = name.substr(end);
    Numbers numbers;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(pattern.has_parent_path() ? pattern.parent_path() : ".", missing)) {
        const auto number = file_number(entry.path().filename().string(), before, after);
        if (!number) continue;
        numbers.first = std::min(numbers.first, *number);
        numbers.last = std::max(numbers.last, *number);
    }
    if (numbers.first > numbers.last) return {};
    return numbers;
}

/// Calls change(name) for the name of every file that colliders need.
template <class Change>
void change_files(Scene& scene, const Change& change) {
    for (collision::ColliderParams& each : scene.collider) {
        for (std::string* file : {&each.mesh, &each.vdb, &each.friction_map, &each.bounce_map, &each.stickiness_map}) {
            if (!file->empty()) *file = change(fs::path(*file)).generic_string();
        }
    }
}

}  // namespace

fs::path collider_file(const Scene& scene, std::size_t collider, int frame) {
    const collision::ColliderParams& params = scene.collider.at(collider);
    const fs::path pattern = scene.file.parent_path() / params.mesh;
    if (!geometry::is_sequence(pattern)) return pattern;
    const auto numbers = sequence_numbers(pattern);
    if (!numbers) return geometry::frame_file(pattern, frame);
    const int number = params.start ? numbers->first + frame - *params.start : frame;
    return geometry::frame_file(pattern, std::clamp(number, numbers->first, numbers->last));
}

Scene relocated(Scene scene, const fs::path& folder) {
    const fs::path home = scene.file.parent_path();
    change_files(scene, [&](const fs::path& file) {
        return file.is_absolute() ? file : fs::proximate(fs::absolute(home / file), fs::absolute(folder));
    });
    return scene;
}

Scene without_folders(Scene scene) {
    change_files(scene, [](const fs::path& file) { return file.filename(); });
    return scene;
}

}  // namespace spindrift::sim
