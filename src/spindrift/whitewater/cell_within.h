#pragma once
// The cell that a place is in; places farther off than a limit are in the cells at the limit.
//
//   Vec3i cell = cell_within(x, 1 / h, 1e6f);

#include "spindrift/core/vec.h"
#include "spindrift/whitewater/four.h"

namespace spindrift::whitewater {

inline Vec3i cell_within(Vec3f x, float per_cell, float limit) {
    Four p = Four{x.x, x.y, x.z, 0} * per_cell;
    const Four most = limit - Four{}, least = Four{} - limit;
    // What is not a number is at the limit too.
    p = p > least ? p : least;
    p = p < most ? p : most;
    const FourInts cell = floor_of(p);
    return {cell[0], cell[1], cell[2]};
}

}  // namespace spindrift::whitewater
