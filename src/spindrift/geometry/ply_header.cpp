#include "spindrift/geometry/ply_header.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/text_scanner.h"

namespace spindrift::geometry {

namespace {

std::optional<PlyNumber> number_type(std::string_view word) {
    using enum PlyNumber;
    constexpr std::pair<std::string_view, PlyNumber> names[] = {
        {"char", i8},    {"int8", i8},     {"uchar", u8},   {"uint8", u8},   {"short", i16}, {"int16", i16},
        {"ushort", u16}, {"uint16", u16},  {"int", i32},    {"int32", i32},  {"uint", u32},  {"uint32", u32},
        {"float", f32},  {"float32", f32}, {"double", f64}, {"float64", f64}};
    for (const auto& [name, type] : names) {
        if (word == name) return type;
    }
    return std::nullopt;
}

class HeaderReader {
  public:
    HeaderReader(const std::filesystem::path& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    PlyHeader read() {
        if (TextScanner(next_line()).word() != "ply")
            throw damaged(path_, "this is not a PLY file: its first line should be 'ply'");
        bool has_format = false;
        while (true) {
            const std::string_view line = next_line();
            TextScanner words(line);
            const std::string_view key = words.word();
            if (key == "end_header") break;
            if (key == "format") {
                read_format(words);
                has_format = true;
            } else if (key == "element") {
                read_element(words);
            } else if (key == "property") {
                read_property(words);
            } else if (!key.empty() && key != "comment" && key != "obj_info") {
                refuse("an unknown word", key);
            }
        }
        if (!has_format) throw damaged(path_, "the PLY header does not say its format");
        header_.bytes = at_;
        return std::move(header_);
    }

  private:
    std::string_view next_line() {
        const std::size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos) throw damaged(path_, "the PLY header has no end ('end_header')");
        const std::string_view line = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return line;
    }

    [[noreturn]] void refuse(const char* what, std::string_view word) const {
        throw damaged(path_, fmt::format("the PLY header has {} '{}'", what, word.substr(0, 40)));
    }

    void read_format(TextScanner& words) {
        const std::string_view name = words.word();
        if (name == "ascii")
            header_.format = PlyFormat::text;
        else if (name == "binary_little_endian")
            header_.format = PlyFormat::little_endian;
        else if (name == "binary_big_endian")
            header_.format = PlyFormat::big_endian;
        else
            refuse("an unknown format", name);
    }

    void read_element(TextScanner& words) {
        PlyElement element;
        element.name = words.word();
        const std::optional<double> count = words.number();
        if (!count || !(*count >= 0 && *count < 1e15)) refuse("no usable count of", element.name);
        element.count = static_cast<std::uint64_t>(*count);
        header_.elements.push_back(std::move(element));
    }

    void read_property(TextScanner& words) {
        if (header_.elements.empty()) throw damaged(path_, "the PLY header has a property before any element");
        PlyProperty property;
        std::string_view type = words.word();
        property.is_list = type == "list";
        if (property.is_list) {
            property.count_type = known(words.word());
            type = words.word();
        }
        property.type = known(type);
        property.name = words.word();
        header_.elements.back().properties.push_back(std::move(property));
    }

    PlyNumber known(std::string_view type) const {
        const std::optional<PlyNumber> number = number_type(type);
        if (!number) refuse("an unknown type", type);
        return *number;
    }

    const std::filesystem::path& path_;
    std::string_view bytes_;
    std::size_t at_ = 0;
    PlyHeader header_;
};

}  // namespace

std::size_t size_of(PlyNumber type) {
    constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}

int PlyElement::find(std::string_view property) const {
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].name == property) return static_cast<int>(i);
    }
    return -1;
}

std::size_t PlyElement::least_bytes(PlyFormat format) const {
    std::size_t sum = 0;
    for (const PlyProperty& p : properties) {
        if (format == PlyFormat::text)
            sum += 2;  // a digit and a blank
        else
            sum += size_of(p.is_list ? p.count_type : p.type);
    }
    return sum;
}

PlyHeader read_ply_header(const std::filesystem::path& path, std::string_view bytes) {
    return HeaderReader(path, bytes).read();
}

}  // namespace spindrift::geometry
