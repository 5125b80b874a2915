#pragma once
// The names that programs know constraints by; see constraints/constraint.h.

#include "spindrift/constraints/constraint.h"

namespace spindrift::pbf {

using constraints::Constraint;
using constraints::ConstraintContext;

}  // namespace spindrift::pbf
