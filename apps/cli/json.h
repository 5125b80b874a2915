#pragma once
// Answers as JSON, made of the same values that scenes are made of.
//
//   print(json_text(json_table({{"particles", json_count(n)}, {"seconds", Value(0.5)}})));

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/params/value.h"

namespace spindrift::cli {

Value json_table(const std::vector<std::pair<std::string, Value>>& members);
Value json_count(std::size_t count);

/// One object without line breaks.
std::string json_line(const Value& value);

}  // namespace spindrift::cli
