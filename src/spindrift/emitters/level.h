#pragma once
// The height up to which a fill has liquid, as a function of the place: waves, slopes and heaps without a script.
//
//   double y = level_at("0.4 + 0.03 * cos(2.6 * x)", p);

#include <string>

#include "spindrift/core/vec.h"

namespace spindrift::emitters {

/// Height in metres at p.x and p.z; not a number where the expression has no value. From any thread.
double level_at(const std::string& expression, Vec3d p);

/// What is wrong with an expression; nothing if it is empty.
std::string problem_of_level(const std::string& expression);

}  // namespace spindrift::emitters
