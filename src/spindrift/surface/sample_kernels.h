#pragma once
// The loops over pairs of points and particles, compiled per instruction set.
//
// Sixteen points, a block, are in two vectors of eight lanes; each particle that reaches the block is broadcast. What
// reaches it is found in three steps: runs of cells, then the leaf's list, then one list for each 4 x 4 x 4 points.

#include <array>
#include <cstdint>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"
#include "spindrift/surface/run.h"

namespace spindrift::surface {

/// Particles near a leaf, in reaches from the leaf's first point; arrays padded to whole vectors by particles far away.
struct NearList {
    float *x, *y, *z;
    float* m;              ///< weight
    std::uint32_t* index;  ///< which of the sorted particles; nullptr where nobody asks
    std::uint32_t count;
};

/// Sums over particles at the points of a block: x fastest (4), then y (2), then z (2).
struct alignas(32) BlockSums {
    float w[16];
    float x[16], y[16], z[16];  ///< of w times the way from the point to the particle, in reaches
};

struct GatherInput {
    const Run* runs;
    std::uint32_t run_count;
    const Float4* x;      ///< sorted particles
    const float* weight;  ///< of each; nullptr: all are 1
    float corner[3];      ///< the leaf's first point, in the particles' unit
    float scale;          ///< reaches in that unit
    float width;          ///< from the leaf's first to its last point, in reaches
};

struct SumInput {
    NearList list;
    float step;                                   ///< between points, in reaches
    float cutoff;                                 ///< blocks with no particle within this many reaches are left alone
    std::uint32_t blocks;                         ///< a bit for each block wanted
    const std::array<float, 6>* shape = nullptr;  ///< of the sorted particles: xx, xy, xz, yy, yz, zz of G, per unit
    float reach = 1;                              ///< in units, for shapes
};

/// What to sum.
enum class Terms {
    centroid,  ///< w and the ways, kernel (1 - r^2)^3
    weight,    ///< w only
    sharp,     ///< w only, kernel (1 - r^2)^6
    shaped,    ///< w only, kernel (1 - |G r|^2)^3
};

/// Iso-densities of up to eight consecutive particles: sums of (1 - r^2)^3 over those in runs, themselves included.
struct WeighInput {
    const Run* runs;
    std::uint32_t run_count;
    const Float4* x;
    std::uint32_t first;
    int count;
    float per_reach;  ///< 1 / reach, in the particles' unit
};

/// Means of four quantities over the particles around up to eight places, weighted by (1 - r^2)^3.
struct CarryInput {
    const Run* runs;
    std::uint32_t run_count;
    const Float4* x;
    const Float4* values;   ///< of the sorted particles
    const float* place[3];  ///< eight numbers each; those behind the last place repeat one
    float per_reach;
};

/// Sums of weights and of weighted values, eight of each.
struct alignas(32) CarrySums {
    float w[8];
    float value[4][8];
};

struct FieldKernels {
    /// Fills the list, which has room for all particles of the runs and 16 more, with those that reach the leaf.
    void (*gather)(const GatherInput&, NearList& out);
    /// Sums for the wanted blocks; returns those that are near a particle, the others are left as they are.
    /// `scratch` has room for 4 * (count + 16) floats,
    /// `indices` for 2 * (count + 16).
    std::uint32_t (*sum)(Terms terms, const SumInput&, float* scratch, std::uint32_t* indices, BlockSums* out);
    /// Adds `factor` times the sums to the eight of `out`.
    void (*weigh)(const WeighInput&, float factor, float* out);
    /// Adds to the sums.
    void (*carry)(const CarryInput&, CarrySums& out);
};

SPINDRIFT_DISPATCH(FieldKernels, field_kernels)

}  // namespace spindrift::surface
