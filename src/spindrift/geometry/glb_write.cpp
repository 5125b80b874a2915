#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/buffer.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/geometry/write_support.h"

namespace spindrift::geometry {

namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "floats are written as they are in memory");

// Numbers of the format.
constexpr int type_float = 5126, type_u32 = 5125, target_points = 34962, target_corners = 34963;
constexpr std::uint32_t chunk_json = 0x4e4f534a, chunk_binary = 0x004e4942, magic = 0x46546c67, version = 2;
constexpr const char* type_words[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};

/// One accessor of the points: `width` numbers taken out of rows of `stride`.
struct Column {
    std::string name;
    const float* values;
    std::size_t stride, width;
    bool is_split = false;  ///< one row for each written point, not for each of the mesh
    bool is_color = false;
    bool is_uv = false;
};

std::string capitals(const std::string& name) {
    std::string text = "_" + name;
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// Attributes that no accessor is wide enough for go number by number.
void add_attribute(const Attribute& each, FreeNames& names, std::vector<Column>& columns) {
    const auto width = static_cast<std::size_t>(each.width);
    Column column{.name = {}, .values = each.values.data(), .stride = width, .width = width};
    if (is_attribute(each, "N", 3)) {
        column.name = "NORMAL";
    } else if (is_attribute(each, "uv", 2)) {
        column.name = "TEXCOORD_0";
        column.is_uv = true;
    } else if (is_attribute(each, "Cd", 3)) {
        column.name = "COLOR_0";
        column.is_color = true;
    } else if (width <= 4) {
        column.name = names.take(capitals(each.name));
    } else {
        column.width = 1;
        for (std::size_t k = 0; k < width; ++k, ++column.values) {
            column.name = names.take(fmt::format("{}_{}", capitals(each.name), k));
            columns.push_back(column);
        }
        return;
    }
    columns.push_back(std::move(column));
}

std::vector<Column> columns_of(const Mesh& mesh, const SplitPoints& split) {
    std::vector<Column> columns;
    const auto* points = reinterpret_cast<const float*>(mesh.points.data());
    const auto* uv = reinterpret_cast<const float*>(split.uv.data());
    columns.push_back({.name = "POSITION", .values = points, .stride = 3, .width = 3});
    if (!split.uv.empty())
        columns.push_back(
            {.name = "TEXCOORD_0", .values = uv, .stride = 2, .width = 2, .is_split = true, .is_uv = true});
    FreeNames names({});
    for (const Attribute& each : mesh.attributes) {
        if (!is_attribute(each, "uv", 2) || split.uv.empty()) add_attribute(each, names, columns);
    }
    return columns;
}

/// glTF counts v from the upper edge of a picture, and knows only numbers that are finite.
float prepared(const Column& column, std::size_t k, float value) {
    if (!std::isfinite(value)) return 0;
    if (column.is_color) return std::clamp(value, 0.f, 1.f);
    return column.is_uv && k == 1 ? 1 - value : value;
}

void put_column(const Column& column, const SplitPoints& split, std::size_t points, char* out) {
    parallel_for(points, [&](Range range) {
        for (const std::size_t i : range) {
            const std::size_t row = split.source.empty() || column.is_split ? i : split.source[i];
            const float* values = column.values + row * column.stride;
            char* place = out + i * column.width * sizeof(float);
            for (std::size_t k = 0; k < column.width; ++k) {
                const float value = prepared(column, k, values[k]);
                std::memcpy(place + k * sizeof(float), &value, sizeof value);
            }
        }
    });
}

json view(std::size_t offset, std::size_t bytes, int target) {
    return {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes}, {"target", target}};
}

/// What the file says about its numbers: accessors of the columns in order, then the corners.
json describe(const std::vector<Column>& columns, const Box3d& box, std::size_t points, std::size_t triangles) {
    json views = json::array(), accessors = json::array(), attributes = json::object();
    std::size_t offset = 0;
    for (const Column& column : columns) {
        const std::size_t bytes = points * column.width * sizeof(float);
        attributes[column.name] = accessors.size();
        accessors.push_back({{"bufferView", views.size()},
                             {"componentType", type_float},
                             {"count", points},
                             {"type", type_words[column.width - 1]}});
        views.push_back(view(offset, bytes, target_points));
        offset += bytes;
    }
    accessors[0]["min"] = {box.lo.x, box.lo.y, box.lo.z};
    accessors[0]["max"] = {box.hi.x, box.hi.y, box.hi.z};
    const std::size_t corners = accessors.size();
    accessors.push_back(
        {{"bufferView", corners}, {"componentType", type_u32}, {"count", 3 * triangles}, {"type", "SCALAR"}});
    views.push_back(view(offset, 12 * triangles, target_corners));
    offset += 12 * triangles;

    json document;
    const json primitive{{"attributes", attributes}, {"indices", corners}, {"mode", 4}};
    document["meshes"] = json::array({{{"primitives", json::array({primitive})}}});
    document["nodes"] = json::array({{{"mesh", 0}}});
    document["scenes"] = json::array({{{"nodes", json::array({0})}}});
    document["buffers"] = json::array({{{"byteLength", offset}}});
    document["bufferViews"] = views;
    document["accessors"] = accessors;
    return document;
}

void write_chunk(AtomicFile& file, std::uint32_t kind, const char* data, std::size_t bytes) {
    const std::uint32_t head[] = {static_cast<std::uint32_t>(bytes), kind};
    file.write(head, sizeof head);
    file.write(data, bytes);
}

WrittenFile write_document(const std::filesystem::path& path, json document, const Buffer<char>& binary) {
    document["asset"] = {{"version", "2.0"}, {"generator", "Spindrift"}};
    document["scene"] = 0;
    std::string text = document.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint64_t total = 12 + 8 + text.size() + (binary.size() > 0 ? 8 + binary.size() : 0);
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw IoError(IoError::Kind::other, path, "the mesh is too large for glTF, which ends at 4 GB; write a PLY");
    const std::uint32_t head[] = {magic, version, static_cast<std::uint32_t>(total)};
    AtomicFile file(path, total);
    file.write(head, sizeof head);
    write_chunk(file, chunk_json, text.data(), text.size());
    if (binary.size() > 0) write_chunk(file, chunk_binary, binary.data(), binary.size());
    return file.commit();
}

}  // namespace

WrittenFile write_glb(const std::filesystem::path& path, const Mesh& mesh) {
    check_sizes(mesh);
    Buffer<char> binary("mesh file");
    if (mesh.triangles.empty()) {
        // Accessors of nothing are not allowed.
        return write_document(path, {{"scenes", json::array({json::object()})}}, binary);
    }
    const SplitPoints split = split_at_seams(mesh);
    const std::vector<Column> columns = columns_of(mesh, split);
    const std::vector<Triangle>& triangles = mesh.uv.empty() ? mesh.triangles : split.triangles;
    const std::size_t points = mesh.uv.empty() ? mesh.points.size() : split.source.size();
    std::size_t numbers = 0;
    for (const Column& column : columns)
        numbers += column.width;
    binary.resize(4 * numbers * points + 12 * triangles.size());
    char* place = binary.data();
    for (const Column& column : columns) {
        put_column(column, split, points, place);
        place += points * column.width * sizeof(float);
    }
    std::memcpy(place, triangles.data(), 12 * triangles.size());
    return write_document(path, describe(columns, bounds(mesh), points, triangles.size()), binary);
}

}  // namespace spindrift::geometry
