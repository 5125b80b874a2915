#pragma once
// The pair loops, compiled per instruction set. Each handles a range of clusters: eight particles in the lanes, their
// common neighbour list walked once. All lengths in support radii.

#include <cstdint>

#include "spindrift/collision/walls.h"
#include "spindrift/core/isa.h"
#include "spindrift/neighbors/cluster_lists.h"

namespace spindrift::pbf {

struct WallView {
    const collision::WallBox* boxes;
    std::uint32_t box_count;
    const collision::WallPlane* planes;
    std::uint32_t plane_count;
};

struct DensityPass {
    neighbors::ListView lists;
    Float4* x;            ///< in: positions, out: the multiplier in w
    float density_scale;  ///< of the sum of (1 - r^2)^3
    float multiplier;     ///< w = multiplier * max(C, 0) / (1 + C)^2
    float wall_gain;      ///< gamma of the boundary density
    WallView walls;
    float* constraint;  ///< C of each particle, or nullptr
};

/// Sums over the clusters of one task.
struct DensitySums {
    double error = 0;         ///< of max(C, 0)
    float largest_error = 0;  ///< of C
};

struct CorrectionPass {
    neighbors::ListView lists;
    const Float4* x;         ///< positions and multipliers
    const Float4* x_before;  ///< the iterate before, for the accelerated step
    Float4* x_next;
    float omega;            ///< Chebyshev factor, 1 for a plain step
    float wall_multiplier;  ///< multiplier per unit of w for walls: the pair factor's share is divided out
    float separation;       ///< strength of the term that keeps particles from pairing up, 0 for none
    float wall_separation;  ///< the same from walls
    float largest_move;     ///< of one iteration, beside walls only
    WallView walls;
};

struct ViscosityPass {
    neighbors::ListView lists;
    const Float4* x;
    const Float4* v;
    Float4* v_next;
    float density_scale;
    float coefficient;
};

struct Kernels {
    DensitySums (*density)(const DensityPass&, std::uint32_t first, std::uint32_t last);
    void (*correct)(const CorrectionPass&, std::uint32_t first, std::uint32_t last);
    void (*viscosity)(const ViscosityPass&, std::uint32_t first, std::uint32_t last);
    /// Pairs within h of the clusters' particles, themselves not counted.
    std::uint64_t (*count_pairs)(const neighbors::ListView&, const Float4* x, std::uint32_t first, std::uint32_t last);
};

SPINDRIFT_DISPATCH(Kernels, kernels)

}  // namespace spindrift::pbf
