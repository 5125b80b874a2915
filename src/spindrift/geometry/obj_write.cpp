#include <vector>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/geometry/write_support.h"

namespace spindrift::geometry {

namespace {

using Out = fmt::appender;

constexpr std::size_t lines_at_once = 16384;

/// Lines 0 to n, made in parallel and written in order.
template <class Line>
void write_lines(AtomicFile& file, std::size_t n, const Line& line) {
    std::vector<fmt::memory_buffer> texts(chunk_count(n, lines_at_once));
    parallel_chunks(texts.size(), [&](std::size_t c) {
        for (const std::size_t i : chunk_range(c, n, lines_at_once))
            line(Out(texts[c]), i);
    });
    for (const fmt::memory_buffer& text : texts)
        file.write(text.data(), text.size());
}

void write_uv(AtomicFile& file, const Mesh& mesh, const Attribute* uv) {
    write_lines(file, mesh.uv.size(), [&](Out out, std::size_t t) {
        for (const Uv& each : mesh.uv[t])
            fmt::format_to(out, FMT_COMPILE("vt {} {}\n"), each[0], each[1]);
    });
    if (!uv) return;
    write_lines(file, mesh.points.size(), [&](Out out, std::size_t i) {
        fmt::format_to(out, FMT_COMPILE("vt {} {}\n"), uv->values[2 * i], uv->values[2 * i + 1]);
    });
}

void write_faces(AtomicFile& file, const Mesh& mesh, bool has_point_uv, bool has_normals) {
    write_lines(file, mesh.triangles.size(), [&](Out out, std::size_t t) {
        out = fmt::format_to(out, FMT_COMPILE("f"));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t point = mesh.triangles[t][k] + std::size_t{1};
            const std::size_t place = mesh.uv.empty() ? point : 3 * t + k + 1;
            const bool has_uv = has_point_uv || !mesh.uv.empty();
            if (has_uv && has_normals)
                out = fmt::format_to(out, FMT_COMPILE(" {}/{}/{}"), point, place, point);
            else if (has_normals)
                out = fmt::format_to(out, FMT_COMPILE(" {}//{}"), point, point);
            else if (has_uv)
                out = fmt::format_to(out, FMT_COMPILE(" {}/{}"), point, place);
            else
                out = fmt::format_to(out, FMT_COMPILE(" {}"), point);
        }
        fmt::format_to(out, FMT_COMPILE("\n"));
    });
}

}  // namespace

WrittenFile write_obj(const std::filesystem::path& path, const Mesh& mesh) {
    check_sizes(mesh);
    const Attribute* uv = point_uv(mesh);
    const Attribute* normal = mesh.find("N");
    if (normal && normal->width != 3) normal = nullptr;

    AtomicFile file(path);
    write_lines(file, mesh.points.size(), [&](Out out, std::size_t i) {
        const Vec3f p = mesh.points[i];
        fmt::format_to(out, FMT_COMPILE("v {} {} {}\n"), p.x, p.y, p.z);
    });
    write_uv(file, mesh, uv);
    write_lines(file, normal ? mesh.points.size() : 0, [&](Out out, std::size_t i) {
        const float* n = &normal->values[3 * i];
        fmt::format_to(out, FMT_COMPILE("vn {} {} {}\n"), n[0], n[1], n[2]);
    });
    write_faces(file, mesh, uv != nullptr, normal != nullptr);
    return file.commit();
}

}  // namespace spindrift::geometry
