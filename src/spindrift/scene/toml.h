#pragma once
// TOML text to values and back; the only file of the scene that knows the TOML library is toml.cpp.
//
//   Value tree = parse_toml(text, "dam.toml");

#include <string>
#include <string_view>

#include "spindrift/params/value.h"

namespace spindrift {

/// Throws SceneError with line and column if the text is not TOML, or nested deeper than any scene.
Value parse_toml(std::string_view text, const std::string& file);

/// A document: plain keys first, then [tables] and [[lists of tables]]; what is inside those stands on one line.
std::string toml_text(const Value& table);

/// One value as it stands after the equals sign.
std::string toml_value(const Value& value);

}  // namespace spindrift
