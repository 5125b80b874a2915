#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/geometry/write_support.h"

namespace spindrift::geometry {

namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t lines_at_once = 16384;

/// Lines 0 to n, made in parallel and written in order.
template <class Line>
void write_lines(AtomicFile& file, std::size_t n, const Line& line) {
    std::vector<std::string> texts(chunk_count(n, lines_at_once));
    parallel_chunks(texts.size(), [&](std::size_t c) {
        texts[c].reserve(32 * lines_at_once);
        for (const std::size_t i : chunk_range(c, n, lines_at_once))
            line(std::back_inserter(texts[c]), i);
    });
    for (const std::string& text : texts)
        file.write(text);
}

void write_uv(AtomicFile& file, const Mesh& mesh, const Attribute* uv) {
    write_lines(file, mesh.uv.size(), [&](Out out, std::size_t t) {
        for (const Uv& each : mesh.uv[t])
            fmt::format_to(out, "vt {} {}\n", each[0], each[1]);
    });
    if (!uv) return;
    write_lines(file, mesh.points.size(), [&](Out out, std::size_t i) {
        fmt::format_to(out, "vt {} {}\n", uv->values[2 * i], uv->values[2 * i + 1]);
    });
}

}  // namespace

void write_obj(const std::filesystem::path& path, const Mesh& mesh) {
    check_sizes(mesh);
    const Attribute* uv = point_uv(mesh);
    const Attribute* normal = mesh.find("N");
    if (normal && normal->width != 3) normal = nullptr;

    AtomicFile file(path);
    write_lines(file, mesh.points.size(), [&](Out out, std::size_t i) {
        const Vec3f p = mesh.points[i];
        fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
    });
    write_uv(file, mesh, uv);
    write_lines(file, normal ? mesh.points.size() : 0, [&](Out out, std::size_t i) {
        const float* n = &normal->values[3 * i];
        fmt::format_to(out, "vn {} {} {}\n", n[0], n[1], n[2]);
    });
    write_lines(file, mesh.triangles.size(), [&](Out out, std::size_t t) {
        fmt::format_to(out, "f");
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t point = mesh.triangles[t][k] + std::size_t{1};
            const std::size_t place = mesh.uv.empty() ? point : 3 * t + k + 1;
            const bool has_uv = uv || !mesh.uv.empty();
            fmt::format_to(out, " {}", point);
            if (has_uv) fmt::format_to(out, "/{}", place);
            if (normal) fmt::format_to(out, "{}/{}", has_uv ? "" : "/", point);
        }
        fmt::format_to(out, "\n");
    });
    file.commit();
}

}  // namespace spindrift::geometry
