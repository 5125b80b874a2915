#pragma once
// Text of strangers on a terminal: names of files, and what libraries say of what is in them.
//
//   std::fputs(visible_text("a\x1b[31m.toml").c_str(), stderr);  // a\x1b[31m.toml

#include <string>
#include <string_view>

namespace spindrift::cli {

/// The same text with bytes that are no characters of UTF-8 and characters that control terminals written as \x1b. Ends
/// of lines and tabs stay.
std::string visible_text(std::string_view text);

}  // namespace spindrift::cli
