#pragma once
// How a disc of foam is pushed by those around it, eight at a time.
//
//   Vec3f push = push_kernels().push(own, normal, others);
//
// Equations: foam.h.

#include <cstddef>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"

namespace spindrift::whitewater {

struct Disc {
    Vec3f x;
    float radius;
};

/// Discs and how many each stands for, one array for each number; the last eight are whole.
struct Pushers {
    const float *x, *y, *z, *radius, *count;
    std::size_t size;
};

struct PushKernels {
    /// Along the surface, whose normal is of length 1.
    Vec3f (*push)(const Disc& own, Vec3f normal, const Pushers& others);
};

SPINDRIFT_DISPATCH(PushKernels, push_kernels)

}  // namespace spindrift::whitewater
