#include "spindrift/geometry/write_mesh.h"

#include <bit>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"

namespace spindrift::geometry {

namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as they are in memory");

/// Points with one texture coordinate each: `source` names the mesh's point.
struct SplitPoints {
    std::vector<std::uint32_t> source;
    std::vector<Uv> uv;
    std::vector<Triangle> triangles;
};

/// The first coordinate of a point keeps its number, so a mesh without seams keeps the order of its points.
SplitPoints split_at_seams(const Mesh& mesh) {
    SplitPoints split;
    split.triangles = mesh.triangles;
    for (std::uint32_t i = 0; i < mesh.points.size(); ++i)
        split.source.push_back(i);
    if (mesh.uv.empty()) return split;

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

template <class T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ply_header(const SplitPoints& split, bool has_velocities) {
    return fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment metres, y up\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\n{}{}"
        "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        split.source.size(), has_velocities ? "property float vx\nproperty float vy\nproperty float vz\n" : "",
        split.uv.empty() ? "" : "property float s\nproperty float t\n", split.triangles.size());
}

}  // namespace

void write_ply(const std::filesystem::path& path, const Mesh& mesh, std::span<const Vec3f> velocities) {
    SPINDRIFT_CHECK(velocities.empty() || velocities.size() == mesh.points.size());
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    const SplitPoints split = split_at_seams(mesh);
    std::string bytes = ply_header(split, !velocities.empty());
    bytes.reserve(bytes.size() + split.source.size() * 32 + split.triangles.size() * 13);
    for (std::size_t i = 0; i < split.source.size(); ++i) {
        append(bytes, mesh.points[split.source[i]]);
        if (!velocities.empty()) append(bytes, velocities[split.source[i]]);
        if (!split.uv.empty()) append(bytes, split.uv[i]);
    }
    for (const Triangle& triangle : split.triangles) {
        bytes += '\3';
        append(bytes, triangle);
    }
    write_file(path, bytes);
}

void write_obj(const std::filesystem::path& path, const Mesh& mesh) {
    SPINDRIFT_CHECK(mesh.uv.empty() || mesh.uv.size() == mesh.triangles.size());
    std::string text;
    const auto out = std::back_inserter(text);
    for (const Vec3f p : mesh.points)
        fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& corners : mesh.uv) {
        for (const Uv& uv : corners)
            fmt::format_to(out, "vt {} {}\n", uv[0], uv[1]);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        if (mesh.uv.empty())
            fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
        else
            fmt::format_to(out, "f {}/{} {}/{} {}/{}\n", a + 1, 3 * t + 1, b + 1, 3 * t + 2, c + 1, 3 * t + 3);
    }
    write_file(path, text);
}

}  // namespace spindrift::geometry
