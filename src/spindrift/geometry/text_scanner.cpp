#include "spindrift/geometry/text_scanner.h"

#include <charconv>
#include <cstdlib>
#include <string>

namespace spindrift::geometry {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

}  // namespace

std::string_view TextScanner::word() {
    const std::size_t first = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    at_ = std::min(text_.find_first_of(blanks, first), text_.size());
    return text_.substr(first, at_ - first);
}

std::optional<double> TextScanner::number() {
    std::string_view token = word();
    if (token.starts_with('+')) token.remove_prefix(1);
    double value = 0;
    const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), value);
    // Beyond the range it gives no value, whether too large or too small.
    if (problem == std::errc::result_out_of_range) value = std::strtod(std::string(token).c_str(), nullptr);
    if (problem == std::errc::invalid_argument || end != token.data() + token.size()) return std::nullopt;
    return value;
}

void TextScanner::skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
}

}  // namespace spindrift::geometry
