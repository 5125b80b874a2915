#pragma once
// Sums over the neighbours of eight particles at once.
//
//   around_kernels().add(x, v, runs, eight, {.h = 1, .volume = 1}, sums);
//
// Equations: potentials.h. Symbols: q = r / h, W = 1 - q.

#include <cstdint>
#include <span>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"

namespace spindrift::whitewater {

struct alignas(32) Eight {
    float x[8], y[8], z[8];
    float vx[8], vy[8], vz[8];
};

/// Sums over neighbours j, the particle itself left out.
struct alignas(32) Around8 {
    float density[8]{};     ///< (1 - q^2)^3
    float weight[8]{};      ///< W
    float difference[8]{};  ///< W (|v_ij| - v_ij . x_ij / r)
    float count[8]{};
    float side[3][8]{};  ///< W x_ij / r
    float turn[3][8]{};  ///< W / q x_ij / r cross v_ij
};

/// Neighbouring places of sorted particles.
struct NearRun {
    std::uint32_t first, last;
};

struct Reach {
    float h = 1;       ///< how far the eight see
    float volume = 1;  ///< of a neighbour, by that of one of the eight
};

struct AroundKernels {
    void (*add)(const Float4* x, const Float4* v, std::span<const NearRun> runs, const Eight& eight, Reach reach,
                Around8& out);
};

SPINDRIFT_DISPATCH(AroundKernels, around_kernels)

}  // namespace spindrift::whitewater
