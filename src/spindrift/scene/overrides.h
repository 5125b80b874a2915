#pragma once
// `--set path=value`: changes a tree of values before it is read.
//
//   apply_override(tree, "solver.iterations=8", problems);
//   apply_override(tree, "liquid.water.spacing=0.02", problems);   // by name, or liquid.0.spacing

#include <string>

#include "spindrift/params/problems.h"
#include "spindrift/params/value.h"

namespace spindrift {

/// Makes a table of each word that stands for one: solver = "flip" is solver.method.
void expand_shorthands(Value& tree);

/// The value is TOML; what is not, such as a bare word, is a string. Messages name the override.
void apply_override(Value& tree, const std::string& setting, Problems& problems);

}  // namespace spindrift
