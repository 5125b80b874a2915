#pragma once
// The residual of a solution in double: floats lose the last three of its digits.
//
//   const double rr = true_residual(leaves, active, stencil, b, x, r);      // r = b - A x, and r . r

#include <cstdint>
#include <vector>

#include "spindrift/grid/stencil.h"

namespace spindrift::grid {

double true_residual(const LeafSet& leaves, const std::vector<std::int32_t>& active, const Stencil& stencil,
                     const Field<float>& b, const Field<double>& x, Field<float>& r);

}  // namespace spindrift::grid
