#include "spindrift/io/npy_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "spindrift/io/format_problem.h"
#include "spindrift/io/npz.h"

namespace spindrift::io {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they are in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;
/// Room for `{}` at least; numpy itself refuses more than 10 000 characters.
constexpr std::size_t shortest_dictionary = 2, longest_dictionary = 10000;
/// Widest share of one particle; a row beyond this is a mistake, not a channel.
constexpr std::uint64_t widest_channel = 4096;

struct TypeName {
    ScalarType scalar;
    std::string_view code, name;
};

constexpr std::array<TypeName, 10> type_names{{
    {ScalarType::f32, "<f4", "float32"},
    {ScalarType::f64, "<f8", "float64"},
    {ScalarType::i8, "|i1", "int8"},
    {ScalarType::u8, "|u1", "uint8"},
    {ScalarType::i16, "<i2", "int16"},
    {ScalarType::u16, "<u2", "uint16"},
    {ScalarType::i32, "<i4", "int32"},
    {ScalarType::u32, "<u4", "uint32"},
    {ScalarType::i64, "<i8", "int64"},
    {ScalarType::u64, "<u8", "uint64"},
}};

const TypeName& type_name(ScalarType scalar) {
    return *std::ranges::find(type_names, scalar, &TypeName::scalar);
}

std::size_t dictionary_offset(std::string_view header) {
    return header[magic.size()] == 1 ? 10 : 12;
}

[[noreturn]] void unreadable() {
    throw FormatProblem("has a header that is not readable");
}

/// The few forms of Python literals that numpy writes: 'text', True, False, (1, 2).
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool accept(char c) {
        skip_blanks();
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!accept(c)) unreadable();
    }
    std::string_view quoted() {
        const char quote = accept('"') ? '"' : (expect('\''), '\'');
        const std::size_t length = text_.find(quote);
        if (length == std::string_view::npos) unreadable();
        const std::string_view text = text_.substr(0, length);
        text_.remove_prefix(length + 1);
        return text;
    }
    bool boolean() {
        skip_blanks();
        for (const std::string_view word : {"True", "False"}) {
            if (!text_.starts_with(word)) continue;
            text_.remove_prefix(word.size());
            return word == "True";
        }
        unreadable();
    }
    std::uint64_t number() {
        skip_blanks();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc()) unreadable();
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }
    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> values;
        expect('(');
        while (!accept(')')) {
            values.push_back(number());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return values;
    }
    bool at_end() {
        skip_blanks();
        return text_.empty();
    }

  private:
    void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }

    std::string_view text_;
};

ScalarType parse_type(Scanner& scanner) {
    if (scanner.accept('[')) throw FormatProblem("is a table of several columns; one plain array is needed");
    std::string code(scanner.quoted());
    if (code.size() < 2) unreadable();
    if (code[1] == 'O') throw FormatProblem("holds Python objects; numbers are needed");
    if (code[1] == 'U' || code[1] == 'S') throw FormatProblem("holds text; numbers are needed");

    // Byte order means nothing for single bytes, and numpy has a name of its own for truth values.
    const std::string_view kind = std::string_view(code).substr(1);
    if (kind == "b1") return ScalarType::u8;
    const bool single_bytes = kind == "i1" || kind == "u1";
    if (code[0] == '>' && !single_bytes) {
        throw FormatProblem(fmt::format("is big-endian; save it with .astype('<{}')", kind));
    }
    if (std::string_view("<>|=").find(code[0]) == std::string_view::npos) unreadable();
    code[0] = single_bytes ? '|' : '<';
    const auto* known = std::ranges::find(type_names, code, &TypeName::code);
    if (known == type_names.end()) {
        throw FormatProblem(fmt::format("has the type '{}'; float32, float64 and whole numbers are understood", kind));
    }
    return known->scalar;
}

NpyShape make_shape(ScalarType scalar, const std::vector<std::uint64_t>& shape, bool fortran_order) {
    if (shape.empty()) throw FormatProblem("is a single value; one for every particle is needed");
    if (shape.size() > 2) {
        throw FormatProblem(fmt::format("has {} dimensions; (n,) and (n, width) are understood", shape.size()));
    }
    const std::uint64_t width = shape.size() == 2 ? shape[1] : 1;
    if (width < 1 || width > widest_channel) {
        throw FormatProblem(fmt::format("has {} values for each particle; 1 to {} can be", width, widest_channel));
    }
    if (fortran_order && width > 1 && shape[0] > 1) {
        throw FormatProblem("is in Fortran order; save it with numpy.ascontiguousarray()");
    }
    return {{scalar, static_cast<int>(width)}, shape[0]};
}

}  // namespace

std::string_view dtype_name(ScalarType scalar) {
    return type_name(scalar).name;
}

std::string format_npy_header(ChannelType type, std::uint64_t size) {
    const std::string shape = type.width == 1 ? fmt::format("({},)", size) : fmt::format("({}, {})", size, type.width);
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type_name(type.scalar).code, shape);
    const std::size_t prefix = magic.size() + 4;
    const std::size_t total = (prefix + dictionary.size() + 1 + alignment - 1) / alignment * alignment;
    dictionary.resize(total - prefix - 1, ' ');
    dictionary += '\n';

    std::string header(magic);
    header += '\x01';
    header += '\x00';
    header += static_cast<char>(dictionary.size() & 0xff);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

std::size_t npy_header_bytes(std::string_view preamble) {
    if (preamble.size() < npy_preamble_bytes || !preamble.starts_with(magic)) {
        throw FormatProblem("is not an array in numpy's format");
    }
    const auto byte = [&](std::size_t i) -> std::size_t { return static_cast<unsigned char>(preamble[i]); };
    const std::size_t version = byte(magic.size());
    if (version < 1 || version > 3) throw FormatProblem(fmt::format("has the unknown .npy version {}", version));

    // Version 1 counts the dictionary in two bytes, the later ones in four.
    const std::size_t low = byte(8) | byte(9) << 8;
    const std::size_t length = version == 1 ? low : low | byte(10) << 16 | byte(11) << 24;
    if (length < shortest_dictionary || length > longest_dictionary) unreadable();
    return dictionary_offset(preamble) + length;
}

NpyShape parse_npy_header(std::string_view header) {
    std::optional<ScalarType> scalar;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;

    Scanner scanner(header.substr(dictionary_offset(header)));
    scanner.expect('{');
    while (!scanner.accept('}')) {
        const std::string_view key = scanner.quoted();
        scanner.expect(':');
        if (key == "descr") {
            scalar = parse_type(scanner);
        } else if (key == "fortran_order") {
            fortran_order = scanner.boolean();
        } else if (key == "shape") {
            shape = scanner.tuple();
        } else {
            unreadable();
        }
        if (!scanner.accept(',')) {
            scanner.expect('}');
            break;
        }
    }
    if (!scanner.at_end() || !scalar || !fortran_order || !shape) unreadable();
    return make_shape(*scalar, *shape, *fortran_order);
}

}  // namespace spindrift::io
