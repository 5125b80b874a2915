#include "spindrift/geometry/write_support.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "spindrift/core/errors.h"

namespace spindrift::geometry {

namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

SplitPoints split_at_seams(const Mesh& mesh) {
    SplitPoints split;
    if (mesh.uv.empty()) return split;

    split.triangles = mesh.triangles;
    split.source.resize(mesh.points.size());
    std::iota(split.source.begin(), split.source.end(), 0u);
    split.uv.resize(mesh.points.size());
    std::vector<bool> seen(mesh.points.size(), false);
    std::map<std::tuple<std::uint32_t, std::uint64_t>, std::uint32_t> further;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t point = mesh.triangles[t][k];
            const Uv uv = mesh.uv[t][k];
            if (!seen[point]) split.uv[point] = uv;
            seen[point] = true;
            if (split.uv[point] == uv) continue;
            const auto [place, fresh] =
                further.try_emplace({point, std::bit_cast<std::uint64_t>(uv)}, split.source.size());
            split.triangles[t][k] = place->second;
            if (!fresh) continue;
            split.source.push_back(point);
            split.uv.push_back(uv);
        }
    }
    return split;
}

void check_sizes(const Mesh& mesh) {
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    for (const Attribute& each : mesh.attributes) {
        SPINDRIFT_CHECK(each.width >= 1);
        SPINDRIFT_CHECK(each.values.size() == static_cast<std::size_t>(each.width) * mesh.points.size());
    }
}

const Attribute* point_uv(const Mesh& mesh) {
    const Attribute* uv = mesh.uv.empty() ? mesh.find("uv") : nullptr;
    return uv && uv->width == 2 ? uv : nullptr;
}

std::string FreeNames::take(std::string_view wanted) {
    std::string name(wanted);
    std::ranges::replace_if(
        name, [](char c) { return !is_plain(c); }, '_');
    while (name.empty() || std::ranges::find(taken_, name) != taken_.end())
        name += '_';
    taken_.push_back(name);
    return name;
}

}  // namespace spindrift::geometry
