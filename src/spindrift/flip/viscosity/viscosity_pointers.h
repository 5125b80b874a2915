#pragma once
// The beginnings of three fields, as kernels take them.
//
//   StressPass pass{};
//   point_to(grid.velocity, pass.u);

#include "spindrift/grid/field.h"

namespace spindrift::flip {

inline void point_to(const grid::AxisFields<float>& fields, const float* (&out)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = fields[axis].leaf(std::size_t{0});
}
inline void point_to(grid::AxisFields<float>& fields, float* (&out)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = fields[axis].leaf(std::size_t{0});
}

}  // namespace spindrift::flip
