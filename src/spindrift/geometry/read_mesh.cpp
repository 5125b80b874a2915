#include "spindrift/geometry/read_mesh.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/geometry/formats.h"

namespace spindrift::geometry {

namespace {

using Kind = IoError::Kind;

std::string ending(const std::filesystem::path& path) {
    std::string text = path.extension().string();
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// The ending is looked at first: a picture of some gigabytes is not read to be refused.
Mesh read_raw(const std::filesystem::path& path) {
    const std::string format = ending(path);
    if (format != ".obj" && format != ".ply" && format != ".stl" && format != ".gltf" && format != ".glb") {
        throw IoError(
            Kind::corrupt, path,
            fmt::format("meshes are read from .obj, .ply, .stl, .gltf and .glb files, not from '{}'", format));
    }
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    if (type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character)
        throw IoError(Kind::missing, path, "this is a device; a file is needed");
    std::string bytes = read_file(path);
    if (bytes.empty()) throw damaged(path, "the file is empty");
    if (format == ".obj") return read_obj(path, std::move(bytes));
    if (format == ".ply") return read_ply(path, bytes);
    if (format == ".stl") return read_stl(path, bytes);
    return read_gltf(path, bytes);
}

}  // namespace

IoError damaged(const std::filesystem::path& path, const std::string& text) {
    return {Kind::corrupt, path, text + "; export the mesh again"};
}

MeshFile read_mesh(const std::filesystem::path& path) {
    MeshFile file;
    file.mesh = read_raw(path);
    if (file.mesh.triangles.empty()) {
        throw IoError(
            Kind::corrupt, path,
            fmt::format("the mesh has no faces ({} points); export it with its polygons", file.mesh.points.size()));
    }
    file.report = clean(file.mesh);
    if (file.mesh.triangles.empty()) {
        throw IoError(Kind::corrupt, path,
                      fmt::format("the mesh has no faces that can be used, of {}: {}", file.report.triangles,
                                  describe_defects(file.report)));
    }
    return file;
}

}  // namespace spindrift::geometry
