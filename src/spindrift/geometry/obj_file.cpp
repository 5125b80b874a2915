#include <algorithm>
#include <limits>
#include <span>
#include <sstream>
#include <string_view>

#include <tiny_obj_loader.h>

#include "spindrift/core/interruption.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/polygons.h"

namespace spindrift::geometry {

namespace {

/// Numbers of a file count from 1, or backwards from what there is so far.
std::uint32_t resolve(int number, std::size_t so_far) {
    const auto n = static_cast<std::int64_t>(so_far);
    const std::int64_t index = number > 0 ? std::int64_t{number} - 1 : n + number;
    return number == 0 || index < 0 ? bad_corner : static_cast<std::uint32_t>(index);
}

/// Collects what the parser calls out line by line.
struct ObjLines {
    std::vector<Vec3f> points;
    std::vector<Uv> uv;
    std::vector<std::uint32_t> corner_uv;
    Polygons polygons;
    bool has_uv = false;
    OftenInterruptible ask;

    static void on_point(void* self, float x, float y, float z, float) {
        static_cast<ObjLines*>(self)->points.push_back({x, y, z});
        static_cast<ObjLines*>(self)->ask();
    }
    static void on_uv(void* self, float u, float v, float) { static_cast<ObjLines*>(self)->uv.push_back({u, v}); }
    static void on_face(void* self, tinyobj::index_t* corners, int n) {
        auto& lines = *static_cast<ObjLines*>(self);
        lines.ask();
        for (const tinyobj::index_t& corner : std::span(corners, static_cast<std::size_t>(std::max(n, 0)))) {
            lines.polygons.corners.push_back(resolve(corner.vertex_index, lines.points.size()));
            lines.corner_uv.push_back(resolve(corner.texcoord_index, lines.uv.size()));
            lines.has_uv |= corner.texcoord_index != 0;
        }
        lines.polygons.end_polygon();
    }
};

/// Points whose line has the letters of `nan` or `inf`: the parser would silently make zeros of them.
std::vector<std::size_t> points_without_numbers(std::string_view text) {
    std::vector<std::size_t> found;
    std::size_t points = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.starts_with("v ") && !line.starts_with("v\t")) continue;
        if (line.find_first_of("nNiI") != std::string_view::npos) found.push_back(points);
        ++points;
    }
    return found;
}

}  // namespace

Mesh read_obj(const std::filesystem::path& path, std::string bytes) {
    ObjLines lines;
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = ObjLines::on_point;
    callbacks.texcoord_cb = ObjLines::on_uv;
    callbacks.index_cb = ObjLines::on_face;
    const std::vector<std::size_t> bad_points = points_without_numbers(bytes);
    std::istringstream stream(std::move(bytes));
    std::string error;
    tinyobj::LoadObjWithCallback(stream, callbacks, &lines, nullptr, nullptr, &error);
    if (lines.points.empty() && lines.polygons.ends.empty())
        throw damaged(path, "this is not a Wavefront OBJ file: it has neither points ('v') nor faces ('f')");
    if (lines.points.size() >= most_points) throw damaged(path, "the mesh has too many points");
    if (lines.has_uv) {
        for (const std::uint32_t i : lines.corner_uv)
            lines.polygons.uv.push_back(i < lines.uv.size() ? lines.uv[i] : Uv{});
    }
    for (const std::size_t i : bad_points) {
        if (i < lines.points.size()) lines.points[i].x = std::numeric_limits<float>::quiet_NaN();
    }
    Mesh mesh;
    mesh.points = std::move(lines.points);
    add_triangles(mesh, lines.polygons);
    return mesh;
}

}  // namespace spindrift::geometry
