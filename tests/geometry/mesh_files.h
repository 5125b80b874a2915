#pragma once
// Small files of every format, made by hand, and what tests ask of readers.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/geometry/read_mesh.h"

namespace spindrift::geometry {

/// A unit cube as most programs export it: quads, texture coordinates, some words the reader skips.
inline constexpr std::string_view cube_obj = R"(# a cube
mtllib none.mtl
o Cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
usemtl none
s off
f 4/1 3/2 2/3 1/4
f 5/1/1 6/2/1 7/3/1 8/4/1
f -8/1 -7/2 -3/3 -4/4
f 2/1 3/2 7/3 6/4
f 3/1 4/2 8/3 7/4
f 4/1 1/2 5/3 8/4
)";

inline constexpr std::string_view quad_ply = R"(ply
format ascii 1.0
comment a square
obj_info by hand
element vertex 4
property float x
property float y
property float z
property float s
property float t
element face 1
property list uchar int vertex_indices
element edge 1
property int vertex1
property int vertex2
end_header
0 0 0 0 0
1 0 0 1 0
1 1 0 1 1
0 1 0 0 1
4 0 1 2 3
0 1
)";

inline constexpr std::string_view corner_stl = R"(solid vertex of a corner
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
facet normal 1 0 0
 outer loop
  vertex 0 0 0
  vertex 0 1 0
  vertex 0 0 1e0
 endloop
endfacet
endsolid vertex of a corner
)";

template <class T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A buffer with four points, their texture coordinates, and the indices of two triangles in the given type.
template <class Index>
std::string square_buffer() {
    std::string bytes;
    for (const float v : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f})
        append(bytes, v);
    for (const float v : {0.f, 1.f, 1.f, 1.f, 1.f, 0.f, 0.f, 0.f})
        append(bytes, v);
    for (const int i : {0, 1, 2, 0, 2, 3})
        append(bytes, static_cast<Index>(i));
    bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
    return bytes;
}

struct GltfParts {
    std::string uri{};  ///< member of the buffer, with its comma
    std::size_t buffer_bytes = 0;
    int index_type = 5123, index_count = 6, mode = 4;
    std::string nodes = R"({"mesh":0})", roots = "[0]";
    std::string accessor_0 = R"("bufferView":0,"componentType":5126,"count":4,"type":"VEC3")";
    std::string more{};  ///< further members, each with a comma before it
};

inline std::string gltf_json(const GltfParts& parts) {
    const std::string indices = std::to_string(parts.index_count), bytes = std::to_string(parts.buffer_bytes);
    return R"({"asset":{"version":"2.0"},"buffers":[{)" + parts.uri + R"("byteLength":)" + bytes +
           R"(}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},)"
           R"({"buffer":0,"byteOffset":48,"byteLength":32},{"buffer":0,"byteOffset":80,"byteLength":)" +
           std::to_string(parts.buffer_bytes - 80) + R"(}],"accessors":[{)" + parts.accessor_0 +
           R"(},{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"},)"
           R"({"bufferView":2,"componentType":)" +
           std::to_string(parts.index_type) + R"(,"count":)" + indices +
           R"(,"type":"SCALAR"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,)"
           R"("mode":)" +
           std::to_string(parts.mode) + R"(}]}],"nodes":[)" + parts.nodes + R"(],"scenes":[{"nodes":)" + parts.roots +
           R"(}],"scene":0)" + parts.more + "}";
}

/// A binary glTF file of a JSON text and a buffer.
inline std::string make_glb(std::string json, const std::string& buffer) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    append(bytes, std::uint32_t{2});
    append(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
    append(bytes, static_cast<std::uint32_t>(json.size()));
    bytes += "JSON" + json;
    append(bytes, static_cast<std::uint32_t>(buffer.size()));
    bytes += std::string("BIN\0", 4) + buffer;
    return bytes;
}

inline std::string square_glb(GltfParts parts = {}) {
    const std::string buffer = square_buffer<std::uint16_t>();
    parts.buffer_bytes = buffer.size();
    return make_glb(gltf_json(parts), buffer);
}

/// Writes without waiting for the disk.
inline void put_file(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
}

/// Reads what a file of this name would hold.
inline MeshFile read_text(const std::string& name, std::string_view content) {
    const TemporaryFolder folder;
    put_file(folder / name, content);
    return read_mesh(folder / name);
}

/// Expects an IoError of a kind whose text has a certain part.
inline void expect_refused(const std::string& name, std::string_view content, const std::string& sentence) {
    try {
        read_text(name, content);
        ADD_FAILURE() << name << " was read, but '" << sentence << "' was expected";
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), IoError::Kind::corrupt);
        EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
}

/// Sum of the triangles' areas.
inline double surface_area(const Mesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = vec_cast<double>(mesh.points[a]), q = vec_cast<double>(mesh.points[b]),
                    r = vec_cast<double>(mesh.points[c]);
        sum += 0.5 * length(cross(q - p, r - p));
    }
    return sum;
}

/// Volume inside a closed mesh, positive if its faces look outward.
inline double enclosed_volume(const Mesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = vec_cast<double>(mesh.points[a]), q = vec_cast<double>(mesh.points[b]),
                    r = vec_cast<double>(mesh.points[c]);
        sum += dot(p, cross(q, r)) / 6;
    }
    return sum;
}

}  // namespace spindrift::geometry
