#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/buffer.h"
#include "spindrift/core/color.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/write_mesh.h"
#include "spindrift/geometry/write_support.h"

namespace spindrift::geometry {

namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as they are in memory");

/// Bytes of sRGB by sixteen bits of linear light: the curve takes longer than the rest of a row.
class SrgbBytes {
  public:
    SrgbBytes() : table_(steps + 1) {
        for (int i = 0; i <= steps; ++i) {
            const float encoded = srgb_encode(static_cast<float>(i) / steps);
            table_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(encoded * 255));
        }
    }
    std::uint8_t operator()(float linear) const {
        if (!(linear > 0)) return 0;  // also if it is not a number
        return table_[static_cast<std::size_t>(std::lround(std::min(linear, 1.f) * steps))];
    }

  private:
    static constexpr int steps = 65535;
    std::vector<std::uint8_t> table_;
};

/// Numbers that stand side by side in the row of a point.
struct Column {
    const float* values;
    std::size_t width;
    bool is_color = false;  ///< bytes, not floats
    bool is_split = false;  ///< one row for each written point, not for each of the mesh
    std::vector<std::string> names{};

    std::size_t bytes() const { return is_color ? width : width * sizeof(float); }
};

std::vector<std::string> names_of(const Attribute& each) {
    if (is_attribute(each, "N", 3)) return {"nx", "ny", "nz"};
    if (is_attribute(each, "v", 3)) return {"vx", "vy", "vz"};
    if (is_attribute(each, "Cd", 3)) return {"red", "green", "blue"};
    if (is_attribute(each, "uv", 2)) return {"s", "t"};
    if (each.width == 1) return {each.name};
    std::vector<std::string> names;
    for (int k = 0; k < each.width; ++k)
        names.push_back(each.width <= 3 ? fmt::format("{}_{}", each.name, "xyz"[k])
                                        : fmt::format("{}_{}", each.name, k));
    return names;
}

std::vector<Column> columns_of(const Mesh& mesh, const SplitPoints& split) {
    std::vector<Column> columns;
    const auto* points = reinterpret_cast<const float*>(mesh.points.data());
    columns.push_back({.values = points, .width = 3, .names = {"x", "y", "z"}});
    FreeNames names(columns[0].names);
    const auto add = [&](Column column) {
        for (std::string& name : column.names)
            name = names.take(name);
        columns.push_back(std::move(column));
    };
    const auto* uv = reinterpret_cast<const float*>(split.uv.data());
    if (!split.uv.empty()) add({.values = uv, .width = 2, .is_split = true, .names = {"s", "t"}});
    for (const Attribute& each : mesh.attributes) {
        if (is_attribute(each, "uv", 2) && !split.uv.empty()) continue;
        add({.values = each.values.data(),
             .width = static_cast<std::size_t>(each.width),
             .is_color = is_attribute(each, "Cd", 3),
             .names = names_of(each)});
    }
    return columns;
}

std::string header_of(const std::vector<Column>& columns, std::size_t points, std::size_t triangles, bool has_sides) {
    std::string text =
        fmt::format("ply\nformat binary_little_endian 1.0\ncomment metres, y up\nelement vertex {}\n", points);
    for (const Column& column : columns) {
        for (const std::string& name : column.names)
            text += fmt::format("property {} {}\n", column.is_color ? "uchar" : "float", name);
    }
    text += fmt::format("element face {}\nproperty list uchar uint vertex_indices\n", triangles);
    if (has_sides) text += "property uchar back\nproperty uchar front\n";
    return text + "end_header\n";
}

/// Fills the part of rows [range) that belongs to one column.
void put_column(const Column& column, const SplitPoints& split, const SrgbBytes& srgb, Range range, std::size_t stride,
                char* out) {
    for (const std::size_t i : range) {
        const std::size_t row = split.source.empty() || column.is_split ? i : split.source[i];
        const float* values = column.values + row * column.width;
        char* place = out + i * stride;
        if (column.is_color) {
            for (std::size_t k = 0; k < 3; ++k)
                place[k] = static_cast<char>(srgb(values[k]));
        } else if (column.width == 3) {
            std::memcpy(place, values, 3 * sizeof(float));
        } else {
            std::memcpy(place, values, column.bytes());
        }
    }
}

void put_points(const std::vector<Column>& columns, const SplitPoints& split, std::size_t points, std::size_t stride,
                char* out) {
    const SrgbBytes srgb;
    parallel_for(points, [&](Range range) {
        std::size_t offset = 0;
        for (const Column& column : columns) {
            put_column(column, split, srgb, range, stride, out + offset);
            offset += column.bytes();
        }
    });
}

void put_faces(const std::vector<Triangle>& triangles, std::span<const Sides> sides, char* out) {
    const std::size_t stride = sides.empty() ? 13 : 15;
    parallel_for(triangles.size(), [&](Range range) {
        for (const std::size_t t : range) {
            char* place = out + t * stride;
            *place = 3;
            std::memcpy(place + 1, triangles[t].data(), 12);
            if (!sides.empty()) std::memcpy(place + 13, sides[t].data(), 2);
        }
    });
}

}  // namespace

WrittenFile write_ply(const std::filesystem::path& path, const Mesh& mesh, std::span<const Sides> sides) {
    check_sizes(mesh);
    SPINDRIFT_CHECK(sides.empty() || sides.size() == mesh.triangles.size());
    const SplitPoints split = split_at_seams(mesh);
    const std::vector<Column> columns = columns_of(mesh, split);
    const std::vector<Triangle>& triangles = mesh.uv.empty() ? mesh.triangles : split.triangles;
    const std::size_t points = mesh.uv.empty() ? mesh.points.size() : split.source.size();
    const std::string header = header_of(columns, points, triangles.size(), !sides.empty());
    std::size_t stride = 0;
    for (const Column& column : columns)
        stride += column.bytes();

    Buffer<char> bytes("mesh file");
    bytes.resize(header.size() + points * stride + triangles.size() * (sides.empty() ? 13 : 15));
    std::memcpy(bytes.data(), header.data(), header.size());
    put_points(columns, split, points, stride, bytes.data() + header.size());
    put_faces(triangles, sides, bytes.data() + header.size() + points * stride);
    return write_file(path, {bytes.data(), bytes.size()});
}

}  // namespace spindrift::geometry
