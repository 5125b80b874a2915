#include "cli/visible_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace spindrift::cli {

namespace {

/// Bytes of the character that text begins with, 0 if it is none that may be shown.
std::size_t shown_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (bytes == 0 || text.size() < bytes) return 0;
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    // U+0080 to U+009f control terminals too; longer forms of shorter characters, halves of pairs and what is beyond
    // U+10ffff are none.
    const unsigned second = byte(1);
    const bool is_bad = (first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
                        (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
                        (first == 0xf4 && second > 0x8f);
    return is_bad ? 0 : bytes;
}

}  // namespace

std::string visible_text(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = shown_bytes(text);
        if (bytes > 0)
            shown += text.substr(0, bytes);
        else
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return shown;
}

}  // namespace spindrift::cli
