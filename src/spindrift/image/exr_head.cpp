#include "spindrift/image/exr_head.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "spindrift/core/errors.h"

namespace spindrift::image {

namespace {

constexpr std::uint32_t several_parts = 0x1000;  // a flag of the version
constexpr double most_block_bytes = 1 << 30;
constexpr double packed_rows = 256;  // at most, by any compression

/// Bytes of a value by its type. The library reads these types by what they are and others by the size that the file
/// gives: where both are not the same, it would go on somewhere else than we do.
constexpr std::pair<std::string_view, std::size_t> fixed_sizes[] = {{"box2f", 16},
                                                                    {"box2i", 16},
                                                                    {"chromaticities", 32},
                                                                    {"compression", 1},
                                                                    {"deepImageState", 1},
                                                                    {"double", 8},
                                                                    {"envmap", 1},
                                                                    {"float", 4},
                                                                    {"int", 4},
                                                                    {"keycode", 28},
                                                                    {"lineOrder", 1},
                                                                    {"m33d", 72},
                                                                    {"m33f", 36},
                                                                    {"m44d", 128},
                                                                    {"m44f", 64},
                                                                    {"rational", 8},
                                                                    {"tiledesc", 9},
                                                                    {"timecode", 8},
                                                                    {"v2d", 16},
                                                                    {"v2f", 8},
                                                                    {"v2i", 8},
                                                                    {"v3d", 24},
                                                                    {"v3f", 12},
                                                                    {"v3i", 12}};

std::uint32_t number_at(const std::string& value, std::size_t at) {
    std::uint32_t whole = 0;
    if (at + sizeof whole <= value.size()) std::memcpy(&whole, value.data() + at, sizeof whole);
    return whole;
}

/// Names with 16 bytes behind each, and a zero at the end. Nothing if it is another thing.
std::optional<double> count_channels(const std::string& list) {
    double count = 0;
    std::size_t at = 0;
    for (; at < list.size() && list[at] != '\0'; ++count) {
        const std::size_t end = list.find('\0', at);
        if (end == std::string::npos) return {};
        at = end + 17;
    }
    if (at + 1 != list.size()) return {};
    return count;
}

/// Texts with their lengths before them.
bool is_text_list(const std::string& value) {
    std::size_t at = 0;
    while (at + 4 <= value.size()) {
        const std::size_t size = number_at(value, at);
        if (size > value.size() - at - 4) return false;
        at += 4 + size;
    }
    return at == value.size();
}

/// Whether a value is as long as its type says.
bool fits(std::string_view type, const std::string& value) {
    for (const auto& [name, size] : fixed_sizes) {
        if (name == type) return value.size() == size;
    }
    if (type == "chlist") return count_channels(value).has_value();
    if (type == "stringvector") return is_text_list(value);
    if (type == "preview")
        return value.size() == 8 + 4.0 * number_at(value, 0) * number_at(value, 4) && value.size() >= 8;
    return type != "idmanifest";  // packed in ways of its own
}

/// Walks over the attributes of all parts: name, type, number of bytes, bytes.
class HeadWalk {
  public:
    explicit HeadWalk(const std::filesystem::path& path)
        : path_(path), file_(path, std::ios::binary), left_(std::filesystem::file_size(path)) {}

    void run() {
        take<std::uint32_t>();  // says that it is OpenEXR
        const bool is_list = take<std::uint32_t>() & several_parts;
        do {
            if (!walk_part()) return;
        } while (is_list);
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const { throw IoError(IoError::Kind::corrupt, path_, what); }
    [[noreturn]] void refuse_short() const {
        refuse("this OpenEXR picture cannot be read: it ends in its head; export it again");
    }

    /// False if there is none any more.
    bool walk_part() {
        width_ = 1;
        rows_ = packed_rows;
        channels_ = 0;
        bool any = false;
        for (std::string name = word(); !name.empty(); name = word()) {
            any = true;
            const std::string type = word();
            const auto size = take<std::uint32_t>();
            if (size > left_) refuse_short();
            const std::string value = bytes(size);
            if (!fits(type, value)) refuse_short();
            note(name, value);
        }
        if (4 * width_ * rows_ * channels_ > most_block_bytes)
            refuse("this OpenEXR picture has more channels or larger tiles than can be read; export R, G and B alone");
        return any;
    }

    /// What the size of a block comes from.
    void note(const std::string& name, const std::string& value) {
        const auto side = [&](std::size_t at) {
            return static_cast<double>(static_cast<std::int32_t>(number_at(value, at)));
        };
        if (name == "channels") channels_ = std::max(channels_, count_channels(value).value_or(0));
        if (name == "dataWindow") width_ = std::max(width_, 1 + side(8) - side(0));
        if (name == "tiles") {
            width_ = std::max<double>(width_, number_at(value, 0));
            rows_ = std::max<double>(rows_, number_at(value, 4));
        }
    }

    std::string bytes(std::size_t size) {
        std::string text(size, '\0');
        if (size > left_ || !file_.read(text.data(), static_cast<std::streamsize>(size))) refuse_short();
        left_ -= size;
        return text;
    }
    template <class T>
    T take() {
        T value;
        std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
        return value;
    }
    /// Up to the next zero.
    std::string word() {
        constexpr std::size_t longest = 255;
        std::string text;
        for (char c = take<char>(); c != '\0'; c = take<char>()) {
            text += c;
            if (text.size() > longest) refuse_short();
        }
        return text;
    }

    const std::filesystem::path& path_;
    std::ifstream file_;
    std::uintmax_t left_;
    double width_ = 1, rows_ = packed_rows, channels_ = 0;
};

}  // namespace

void check_exr_head(const std::filesystem::path& path) {
    HeadWalk(path).run();
}

}  // namespace spindrift::image
