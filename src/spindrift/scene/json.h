#pragma once
// Values as JSON text; the only file of the scene that knows the JSON library is json.cpp.
//
//   std::string text = json_text(write_struct(scene, WriteScope::all));

#include <string>

#include "spindrift/params/value.h"

namespace spindrift {

/// Members in the order of the tree, indented by two.
std::string json_text(const Value& value);

}  // namespace spindrift
