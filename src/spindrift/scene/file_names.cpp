#include "spindrift/scene/file_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace spindrift {

namespace {

template <class Things>
std::vector<std::string> file_names(const Things& things, const char* what) {
    std::vector<std::string> names;
    for (const auto& each : things)
        names.push_back(each.name);
    return safe_file_names(std::move(names), what);
}

}  // namespace

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

std::vector<std::string> collider_file_names(const Scene& scene) {
    return file_names(scene.collider, "collider");
}

std::vector<std::string> body_file_names(const Scene& scene) {
    return file_names(scene.body, "body");
}

std::vector<std::string> liquid_file_names(const Scene& scene) {
    return file_names(scene.liquid, "liquid");
}

}  // namespace spindrift
