#pragma once
// Weighted sums over the particles around eight points at once: the part of surface work that is compiled per
// instruction set. Offsets are from each point, so that sums stay exact far from the origin.
//
//   std::span<const std::uint32_t> near = gatherer.around(points, radius, 0);   // near_surface.h
//   Sums8 sums{};
//   moment_kernels().add_centers(cells.x(), near, points, radius, sums);

#include <cstdint>
#include <span>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"
#include "spindrift/surface/run.h"

namespace spindrift::surface {

struct Points8 {
    float x[8], y[8], z[8];
};

/// Sum of weights, and of weights times offsets.
struct Sums8 {
    float w[8], x[8], y[8], z[8];
};

/// The same and the products of offsets xx, xy, xz, yy, yz, zz; how many were within the radius.
struct Moments8 {
    Sums8 first;
    float second[6][8];
    float count[8];
};

using IndexList = std::span<const std::uint32_t>;

struct MomentKernels {
    /// Writes the particles of a run within the radius of a box and returns how many; may overwrite eight places.
    std::size_t (*cull)(const Float4* x, Run run, const Box3f& box, float radius, std::uint32_t* out);
    /// Weights (1 - r^2 / R^2)^3.
    void (*add_centers)(const Float4* x, IndexList near, const Points8& points, float radius, Sums8& sums);
    /// Weights 1 - (r / R)^3.
    void (*add_moments)(const Float4* x, IndexList near, const Points8& points, float radius, Moments8& sums);
};

SPINDRIFT_DISPATCH(MomentKernels, moment_kernels)

}  // namespace spindrift::surface
