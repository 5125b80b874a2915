#pragma once
// Loops of surface tension over rows of eight cells, compiled per instruction set. Fields are named by the first value
// of their leaf 0; lengths in cells.

#include <cstddef>

#include "spindrift/core/isa.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::flip {

/// out = in, weighted 1 2 1 along an axis.
struct SmoothPass {
    const grid::LeafSet* leaves;
    const float* in;
    float* out;
    int axis;
};

/// Unit vectors along the gradient of a share of liquid: into the liquid. Zero where it does not change.
struct NormalPass {
    const grid::LeafSet* leaves;
    const float* share;
    float* normal[3];
};

/// Mean curvature times two, positive where the liquid bulges; zero where there is no surface.
struct CurvaturePass {
    const grid::LeafSet* leaves;
    const float* normal[3];
    float* curvature;
};

struct TensionKernels {
    void (*smooth)(const SmoothPass&, std::size_t leaf);
    void (*find_normals)(const NormalPass&, std::size_t leaf);
    void (*find_curvature)(const CurvaturePass&, std::size_t leaf);
};

SPINDRIFT_DISPATCH(TensionKernels, tension_kernels)

}  // namespace spindrift::flip
