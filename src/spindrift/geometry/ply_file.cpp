#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "spindrift/core/interruption.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/ply_header.h"
#include "spindrift/geometry/polygons.h"
#include "spindrift/geometry/text_scanner.h"

namespace spindrift::geometry {

namespace {

static_assert(std::endian::native == std::endian::little, "big endian files are turned, others are not");

/// The numbers after the header, one after the other.
class PlyNumbers {
  public:
    PlyNumbers(const std::filesystem::path& path, std::string_view data, PlyFormat format)
        : path_(path), data_(data), text_(data), format_(format) {}

    double next(PlyNumber type) {
        if (format_ == PlyFormat::text) {
            const std::optional<double> value = text_.number();
            if (!value) refuse_text();
            return *value;
        }
        switch (type) {
            case PlyNumber::i8:
                return binary<std::int8_t>();
            case PlyNumber::u8:
                return binary<std::uint8_t>();
            case PlyNumber::i16:
                return binary<std::int16_t>();
            case PlyNumber::u16:
                return binary<std::uint16_t>();
            case PlyNumber::i32:
                return binary<std::int32_t>();
            case PlyNumber::u32:
                return binary<std::uint32_t>();
            case PlyNumber::f32:
                return binary<float>();
            default:
                return binary<double>();
        }
    }

    /// The length of a list that the rest of the file can hold.
    std::size_t list_length(const PlyProperty& list) {
        const double length = next(list.count_type);
        const std::size_t each = format_ == PlyFormat::text ? 2 : size_of(list.type);
        if (!(length >= 0) || length * static_cast<double>(each) > static_cast<double>(left() + 1))
            throw damaged(path_, fmt::format("this PLY file is damaged: a list of {} numbers does not fit", length));
        return static_cast<std::size_t>(length);
    }

    std::size_t left() const { return format_ == PlyFormat::text ? text_.left() : data_.size() - at_; }

  private:
    template <class T>
    double binary() {
        if (data_.size() - at_ < sizeof(T)) throw damaged(path_, "this PLY file is cut off in the middle of its data");
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), data_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        if (format_ == PlyFormat::big_endian) std::ranges::reverse(bytes);
        return static_cast<double>(std::bit_cast<T>(bytes));
    }

    [[noreturn]] void refuse_text() const {
        if (text_.left() == 0) throw damaged(path_, "this PLY file is cut off in the middle of its data");
        throw damaged(path_,
                      fmt::format("a number was expected before byte {} of the PLY file's data", text_.position()));
    }

    const std::filesystem::path& path_;
    std::string_view data_;
    std::size_t at_ = 0;
    TextScanner text_;
    PlyFormat format_;
};

std::uint32_t to_corner(double number) {
    return number >= 0 && number < bad_corner ? static_cast<std::uint32_t>(number) : bad_corner;
}

/// The first of several spellings that an element has.
int find_any(const PlyElement& element, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        if (const int place = element.find(name); place >= 0) return place;
    }
    return -1;
}

class PlyReader {
  public:
    PlyReader(const std::filesystem::path& path, const std::string& bytes)
        : path_(path),
          header_(read_ply_header(path, bytes)),
          numbers_(path, std::string_view(bytes).substr(header_.bytes), header_.format) {}

    Mesh read() {
        for (const PlyElement& element : header_.elements) {
            check_size(element);
            if (element.properties.empty()) continue;
            if (element.name == "vertex")
                read_points(element);
            else if (element.name == "face")
                read_faces(element);
            else
                skip(element);
        }
        lay_uv();
        add_triangles(mesh_, polygons_);
        return std::move(mesh_);
    }

  private:
    /// Nothing is reserved for elements the file is too short for.
    void check_size(const PlyElement& element) const {
        const double needed =
            static_cast<double>(element.count) * static_cast<double>(element.least_bytes(header_.format));
        if (needed > static_cast<double>(numbers_.left() + 1)) {
            throw damaged(path_, fmt::format("this PLY file is cut off: it announces {} of '{}' but only {} bytes are "
                                             "left for them",
                                             element.count, element.name.substr(0, 40), numbers_.left()));
        }
    }

    void read_points(const PlyElement& element) {
        const std::array<int, 3> xyz{element.find("x"), element.find("y"), element.find("z")};
        if (std::ranges::min(xyz) < 0) throw damaged(path_, "the points of this PLY file have no x, y and z");
        if (mesh_.points.size() + element.count >= most_points) throw damaged(path_, "the mesh has too many points");
        const int u = find_any(element, {"s", "u", "texture_u"}), v = find_any(element, {"t", "v", "texture_v"});
        const bool has_uv = u >= 0 && v >= 0;
        std::vector<double> values(element.properties.size());
        for (std::uint64_t i = 0; i < element.count; ++i) {
            ask_();
            for (std::size_t p = 0; p < values.size(); ++p)
                values[p] = read_or_skip(element.properties[p]);
            const auto value = [&](int p) { return static_cast<float>(values[static_cast<std::size_t>(p)]); };
            mesh_.points.push_back({value(xyz[0]), value(xyz[1]), value(xyz[2])});
            if (has_uv) point_uv_.push_back({value(u), value(v)});
        }
    }

    /// The number of a property; that of a list is not of interest.
    double read_or_skip(const PlyProperty& property) {
        if (!property.is_list) return numbers_.next(property.type);
        for (std::size_t n = numbers_.list_length(property); n > 0; --n)
            numbers_.next(property.type);
        return 0;
    }

    void read_faces(const PlyElement& element) {
        const int corners = find_any(element, {"vertex_indices", "vertex_index"}), uv = element.find("texcoord");
        for (std::uint64_t i = 0; i < element.count; ++i) {
            ask_();
            texcoord_.clear();
            for (std::size_t p = 0; p < element.properties.size(); ++p) {
                const PlyProperty& property = element.properties[p];
                if (static_cast<int>(p) == corners && property.is_list)
                    read_corners(property);
                else if (static_cast<int>(p) == uv && property.is_list)
                    read_list(property, texcoord_);
                else
                    read_or_skip(property);
            }
            end_face(uv >= 0);
        }
    }

    void read_corners(const PlyProperty& property) {
        for (std::size_t n = numbers_.list_length(property); n > 0; --n)
            polygons_.corners.push_back(to_corner(numbers_.next(property.type)));
    }

    void read_list(const PlyProperty& property, std::vector<float>& list) {
        list.resize(numbers_.list_length(property));
        for (float& value : list)
            value = static_cast<float>(numbers_.next(property.type));
    }

    /// Texture coordinates of a face count only if there are two for each corner.
    void end_face(bool has_uv) {
        const std::size_t first = polygons_.ends.empty() ? 0 : polygons_.ends.back();
        polygons_.end_polygon();
        if (!has_uv) return;
        const std::size_t n = polygons_.corners.size() - first;
        for (std::size_t k = 0; k < n; ++k)
            polygons_.uv.push_back(texcoord_.size() == 2 * n ? Uv{texcoord_[2 * k], texcoord_[2 * k + 1]} : Uv{});
    }

    void skip(const PlyElement& element) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            ask_();
            for (const PlyProperty& property : element.properties)
                read_or_skip(property);
        }
    }

    /// Coordinates of points go to the corners, unless faces have their own.
    void lay_uv() {
        if (polygons_.uv.size() == polygons_.corners.size()) return;
        polygons_.uv.clear();
        if (point_uv_.empty()) return;
        for (const std::uint32_t corner : polygons_.corners)
            polygons_.uv.push_back(corner < point_uv_.size() ? point_uv_[corner] : Uv{});
    }

    OftenInterruptible ask_;
    const std::filesystem::path& path_;
    PlyHeader header_;
    PlyNumbers numbers_;
    Mesh mesh_;
    Polygons polygons_;
    std::vector<Uv> point_uv_;
    std::vector<float> texcoord_;
};

}  // namespace

Mesh read_ply(const std::filesystem::path& path, const std::string& bytes) {
    return PlyReader(path, bytes).read();
}

}  // namespace spindrift::geometry
