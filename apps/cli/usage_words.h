#pragma once
// What the library of the command line says of options, in words of ours.
//
//   usage_words("ConversionError", "Could not convert: --frame = 1.5");  // --frame: expected a whole number, found
//   '1.5'

#include <string>

namespace spindrift::cli {

/// Of the kind of its error and what it said, as it is if nothing better is known.
std::string usage_words(const std::string& kind, const std::string& said);

}  // namespace spindrift::cli
