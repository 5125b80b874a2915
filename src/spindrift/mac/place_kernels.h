#pragma once
// Where a particle is in its leaf; for files built per instruction set.
//
//   Vec3f local = in_leaf(x, 1 / cell, corner);      // from 0 to below 8 on each axis

#include "spindrift/core/vec.h"
#include "spindrift/grid/row_kernels.h"

namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE {

using namespace spindrift::grid::SPINDRIFT_ISA_NAMESPACE;

/// The sort rounds where a fused product does not: at a leaf's border the two may differ.
SPINDRIFT_INLINE float in_leaf(float x, float per_cell, float corner) {
    const float local = x * per_cell - corner;
    const float above = local > 0 ? local : 0;
    return above < 7.999999f ? above : 7.999999f;
}
SPINDRIFT_INLINE Vec3f in_leaf(Vec3f x, float per_cell, Vec3f corner) {
    return {in_leaf(x.x, per_cell, corner.x), in_leaf(x.y, per_cell, corner.y), in_leaf(x.z, per_cell, corner.z)};
}

}  // namespace spindrift::mac::SPINDRIFT_ISA_NAMESPACE
