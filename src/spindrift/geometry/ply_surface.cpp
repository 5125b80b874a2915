#include "spindrift/geometry/ply_surface.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/color.h"
#include "spindrift/core/parallel.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/ply_header.h"

namespace spindrift::geometry {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are in memory");

template <class T>
T number_at(const char* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

float float_at(const char* place, PlyNumber type) {
    switch (type) {
        case PlyNumber::i8:
            return number_at<std::int8_t>(place);
        case PlyNumber::u8:
            return number_at<std::uint8_t>(place);
        case PlyNumber::i16:
            return number_at<std::int16_t>(place);
        case PlyNumber::u16:
            return number_at<std::uint16_t>(place);
        case PlyNumber::i32:
            return static_cast<float>(number_at<std::int32_t>(place));
        case PlyNumber::u32:
            return static_cast<float>(number_at<std::uint32_t>(place));
        case PlyNumber::f32:
            return number_at<float>(place);
        default:
            return static_cast<float>(number_at<double>(place));
    }
}

/// Properties that stand side by side and are one attribute.
struct Group {
    std::string name;
    std::size_t first, width;
};

bool matches(const std::vector<PlyProperty>& properties, std::size_t first, const std::vector<std::string>& names) {
    if (first + names.size() > properties.size()) return false;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (properties[first + k].name != names[k]) return false;
    }
    return true;
}

/// Words that write_ply has for some attributes.
std::optional<Group> known_group(const std::vector<PlyProperty>& properties, std::size_t first) {
    static const std::pair<const char*, std::vector<std::string>> known[] = {{"P", {"x", "y", "z"}},
                                                                             {"N", {"nx", "ny", "nz"}},
                                                                             {"v", {"vx", "vy", "vz"}},
                                                                             {"Cd", {"red", "green", "blue"}},
                                                                             {"uv", {"s", "t"}}};
    for (const auto& [name, names] : known) {
        if (matches(properties, first, names)) return Group{name, first, names.size()};
    }
    return {};
}

/// name_x name_y (name_z), or name_0 name_1 and on; a single property is an attribute of its own name.
Group spelled_group(const std::vector<PlyProperty>& properties, std::size_t first) {
    const std::string& name = properties[first].name;
    const bool lettered = name.ends_with("_x"), counted = name.ends_with("_0");
    if (!lettered && !counted) return {name, first, 1};
    const std::string base = name.substr(0, name.size() - 2);
    const auto ending = [&](std::size_t k) { return lettered ? std::string(1, "xyz"[k]) : std::to_string(k); };
    std::size_t width = 1;
    while (first + width < properties.size() && (counted || width < 3) &&
           properties[first + width].name == base + "_" + ending(width))
        ++width;
    return width == 1 ? Group{name, first, 1} : Group{base, first, width};
}

/// Where the properties of an element lie in its rows. Lists are not counted.
std::vector<std::size_t> offsets_of(const PlyElement& element) {
    std::vector<std::size_t> offsets{0};
    for (const PlyProperty& property : element.properties)
        offsets.push_back(offsets.back() + (property.is_list ? 0 : size_of(property.type)));
    return offsets;
}

class SurfaceReader {
  public:
    explicit SurfaceReader(const std::filesystem::path& path)
        : path_(path), bytes_(read_file(path)), header_(read_ply_header(path, bytes_)) {}

    SurfaceFile read() {
        const auto& elements = header_.elements;
        if (header_.format != PlyFormat::little_endian || elements.size() != 2 || elements[0].name != "vertex" ||
            elements[1].name != "face")
            throw unusual("the surface is not a binary little endian PLY file of points and triangles");
        at_ = header_.bytes;
        read_points(elements[0]);
        read_faces(elements[1]);
        return std::move(file_);
    }

  private:
    IoError unusual(const std::string& what) const {
        return {IoError::Kind::corrupt, path_, what + "; write it again with `spindrift mesh`"};
    }

    /// The rows of an element, which the file must hold in full.
    const char* take(std::uint64_t count, std::size_t stride) {
        const std::size_t left = bytes_.size() - at_;
        if (count >= most_points || count > left / stride)
            throw unusual(fmt::format("the surface is cut off: {} rows of {} bytes do not fit", count, stride));
        const char* rows = bytes_.data() + at_;
        at_ += count * stride;
        return rows;
    }

    void read_points(const PlyElement& element) {
        for (const PlyProperty& property : element.properties) {
            if (property.is_list) throw unusual("the points of the surface have lists");
        }
        const std::vector<std::size_t> offsets = offsets_of(element);
        if (offsets.back() == 0) throw unusual("the points of the surface have no coordinates");
        const char* rows = take(element.count, offsets.back());
        bool has_points = false;
        for (std::size_t first = 0; first < element.properties.size();) {
            const Group group =
                known_group(element.properties, first).value_or(spelled_group(element.properties, first));
            std::vector<float> values = column(element, offsets, group, rows);
            if (group.name == "P" && group.width == 3 && !has_points) {
                has_points = true;
                file_.mesh.points.resize(element.count);
                for (std::size_t i = 0; i < element.count; ++i)
                    file_.mesh.points[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
            } else {
                file_.mesh.attributes.push_back({group.name, static_cast<int>(group.width), std::move(values)});
            }
            first += group.width;
        }
        if (!has_points) throw unusual("the points of the surface have no x, y and z");
    }

    static std::vector<float> column(const PlyElement& element, const std::vector<std::size_t>& offsets,
                                     const Group& group, const char* rows) {
        std::vector<float> values(element.count * group.width);
        const std::size_t stride = offsets.back();
        const std::array<float, 256>& light = srgb_light();
        for (std::size_t k = 0; k < group.width; ++k) {
            const PlyNumber type = element.properties[group.first + k].type;
            const bool is_color = group.name == "Cd" && type == PlyNumber::u8;
            const char* places = rows + offsets[group.first + k];
            parallel_for(element.count, [&](Range range) {
                for (const std::size_t i : range) {
                    const char* place = places + i * stride;
                    values[i * group.width + k] =
                        is_color ? light[static_cast<unsigned char>(*place)] : float_at(place, type);
                }
            });
        }
        return values;
    }

    static const std::array<float, 256>& srgb_light() {
        static const std::array<float, 256> table = [] {
            std::array<float, 256> light{};
            for (std::size_t i = 0; i < light.size(); ++i)
                light[i] = srgb_decode(static_cast<float>(i) / 255);
            return light;
        }();
        return table;
    }

    /// One list of three corners first, single numbers behind it.
    void read_faces(const PlyElement& element) {
        const auto& properties = element.properties;
        const auto is_plain = [&](const PlyProperty& p) { return p.is_list == (&p == properties.data()); };
        const bool usual = !properties.empty() && std::ranges::all_of(properties, is_plain) &&
                           properties[0].count_type == PlyNumber::u8 &&
                           (properties[0].type == PlyNumber::u32 || properties[0].type == PlyNumber::i32);
        if (!usual) throw unusual("the faces of the surface are not lists of corners with single numbers behind them");
        const std::vector<std::size_t> offsets = offsets_of(element);
        const std::size_t corners = 1 + sizeof(Triangle), stride = corners + offsets.back();
        const char* rows = take(element.count, stride);
        read_triangles(rows, stride, element.count);
        const int back = element.find("back"), front = element.find("front");
        if (back < 1 || front < 1) return;
        const auto side = [&](std::size_t row, int p) {
            const auto k = static_cast<std::size_t>(p);
            return static_cast<std::uint8_t>(rows[row * stride + corners + offsets[k]]);
        };
        file_.sides.resize(element.count);
        for (std::size_t i = 0; i < file_.sides.size(); ++i)
            file_.sides[i] = {side(i, back), side(i, front)};
    }

    void read_triangles(const char* rows, std::size_t stride, std::size_t count) {
        file_.mesh.triangles.resize(count);
        std::atomic<bool> good = true;
        parallel_for(count, [&](Range range) {
            for (const std::size_t i : range) {
                const char* row = rows + i * stride;
                Triangle& t = file_.mesh.triangles[i];
                std::memcpy(t.data(), row + 1, sizeof t);
                if (*row != 3 || std::max({t[0], t[1], t[2]}) >= file_.mesh.points.size()) good = false;
            }
        });
        if (!good) throw unusual("the surface has faces that are not triangles of its points");
    }

    const std::filesystem::path& path_;
    std::string bytes_;
    PlyHeader header_;
    std::size_t at_ = 0;
    SurfaceFile file_;
};

}  // namespace

SurfaceFile read_ply_surface(const std::filesystem::path& path) {
    return SurfaceReader(path).read();
}

}  // namespace spindrift::geometry
