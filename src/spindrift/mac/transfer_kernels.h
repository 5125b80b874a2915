#pragma once
// Particles to faces and back, compiled per instruction set. Positions in m, velocities in m/s; places on
// the grid in cells.
//
// A leaf's particles are scattered into a buffer of its own, 10 x 10 x 10 faces of each axis around the leaf, where a
// weight and a momentum stand side by side: two faces of a row are one 16-byte addition. Leaves then pull from the
// buffers around them in a fixed order, so the result does not depend on threads. On the way back eight particles ride
// in the lanes through a copy of the 16 x 16 x 16 faces around their leaf.
// Source: Zhu and Bridson 2005 (FLIP), Jiang et al. 2015 (APIC), Ralston 1962 (the third order step).

#include <cstddef>
#include <cstdint>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/mac/layers.h"

namespace spindrift::mac {

inline constexpr int scatter_width = 10;
/// Floats of one leaf's buffer: weight and momentum of the faces of three axes.
inline constexpr std::size_t scatter_floats = 3 * 2 * scatter_width * scatter_width * scatter_width;
/// Floats of an affine velocity: its gradient, a row for each component.
inline constexpr std::size_t affine_floats = 9;

struct ScatterPass {
    const Float4* x;      ///< m
    const Float4* v;      ///< m/s, the slot in w
    const float* affine;  ///< affine_floats by slot, 1/s times a cell; nullptr for none
    Vec3f corner;         ///< of the leaf, in cells
    float per_cell;       ///< 1/m
    float* buffer;        ///< scatter_floats, zero before the first run
    float weight = 1;     ///< of each particle
};

struct CombinePass {
    const float* buffers;           ///< of all leaves that have one
    const std::int32_t* buffer_of;  ///< by leaf; -1 if it has none
    const grid::LeafSet* leaves;
    float* velocity[3];  ///< of leaf 0
    float* layer[3];     ///< 0 for faces that got a velocity, no_layer for others
    float* crowd[3];     ///< weights of the particles around each face; nullptr if nobody asks
};

inline constexpr int copy_margin = 4;
inline constexpr int copy_width = grid::leaf_width + 2 * copy_margin;
/// Floats of the copy of the velocities around a leaf; a row behind the last may be read.
inline constexpr std::size_t copy_floats = 3 * copy_width * copy_width * copy_width + 8;

struct AdvectPass {
    Float4* x;                 ///< m; moves
    Float4* v;                 ///< m/s; changes
    float* affine;             ///< changes; nullptr for none
    Vec3f corner;              ///< of the leaf, in cells
    float per_cell;            ///< 1/m
    const float* velocity;     ///< copy_floats of the new velocities
    const float* change_from;  ///< copy_floats of those before; nullptr if the blend is 0
    float blend;               ///< share of FLIP
    float dt;                  ///< s
};

/// Floats of the copy of cells around a leaf.
inline constexpr std::size_t copy_cell_floats = copy_width * copy_width * copy_width + 8;

/// A value of cells at places.
struct LookPass {
    const Float4* x;     ///< m
    Vec3f corner;        ///< of the leaf, in cells
    float per_cell;      ///< 1/m
    const float* cells;  ///< copy_cell_floats
    float* out;          ///< one for each particle, the first of a run in front; written in eights
};

struct TransferKernels {
    void (*scatter)(const ScatterPass&, std::uint32_t first, std::uint32_t last);
    void (*combine)(const CombinePass&, std::size_t leaf);
    /// Copies the faces of three axes around a leaf; `margin` layers of them, copy_margin at most.
    void (*copy)(const grid::LeafSet&, const float* const fields[3], std::size_t leaf, int margin, float* out);
    void (*advect)(const AdvectPass&, std::uint32_t first, std::uint32_t last);
    /// Moves places along the flow, by its velocity half way; and looks up the velocity at places.
    void (*trace)(const AdvectPass&, std::uint32_t first, std::uint32_t last);
    void (*look)(const AdvectPass&, std::uint32_t first, std::uint32_t last);
    /// Copies the cells around a leaf, one layer of them, and looks up values of their middles at places.
    void (*copy_cells)(const grid::LeafSet&, const float* field, std::size_t leaf, float* out);
    void (*look_at_cells)(const LookPass&, std::uint32_t first, std::uint32_t last);
};

SPINDRIFT_DISPATCH(TransferKernels, transfer_kernels)

}  // namespace spindrift::mac
