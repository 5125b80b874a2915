#pragma once
// Loops over the cells of leaves, compiled per instruction set: the liquid's distance, the pressure's matrix and what
// pressure does to faces, and how velocities go on beyond the liquid. Lengths in cells.

#include <cstddef>
#include <cstdint>

#include "spindrift/core/isa.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/leaf_set.h"
#include "spindrift/mac/layers.h"
#include "spindrift/mac/masks.h"

namespace spindrift::mac {

/// Particles in a full cell.
inline constexpr float particles_in_cell = 8;
/// Radius of the balls that thin layers and drops are made of: half of a cell's diagonal and a little more, so that a
/// cell with a particle is liquid. docs/decisions/0019.
inline constexpr float ball_radius = 0.883f;
/// How much farther, in cells, the surface is according to the 27 cells around a cell than according to the cell
/// itself: at most so much if it is flat, and so much if it is that of a thin layer or of a drop.
inline constexpr float flat_by = 0.45f, thin_by = 0.75f;
/// Of the room that walls leave under a tent around a cell's middle: with less, how full it is nobody can tell.
inline constexpr float least_room = 0.1f;
/// Distances where nobody measures: deep in the liquid and far from it.
inline constexpr float deep_inside = -1, far_outside = 1;
/// Least distance of the surface from a cell's centre as the pressure sees it, in shares of the way between centres.
/// Larger ones make water heavier than it is where a surface has just come over a centre: with 0.05 waves as high as a
/// cell stood still as if by friction, and less than this costs iterations.
inline constexpr float least_share = 0.02f;

/// Where a leaf is among positions in metres.
struct LeafPlace {
    Vec3f corner;      ///< in cells
    float per_cell;    ///< 1/m
    float weight = 1;  ///< of each particle
};

/// Buffer of what a leaf's particles give to cells: of the leaf and of one layer around it; rows are padded.
inline constexpr int around_row = 12, around_width = 10;
inline constexpr std::size_t around_floats = around_row * around_width * around_width;

struct AroundPass {
    const float* buffers;           ///< around_floats for each leaf that has one
    const std::int32_t* buffer_of;  ///< by leaf; -1 if it has none
    const grid::LeafSet* leaves;
    float* phi;  ///< of leaf 0
};

struct PressurePass {
    const grid::LeafSet* leaves;
    const float* phi;           ///< fields begin at leaf 0
    const float* open[3];       ///< share of each face that solids leave open
    const float* lightness[3];  ///< one over the density at each face; nullptr if it is 1 everywhere
    float* velocity[3];
    float* coupling[3];
    float* diagonal;
    float* rhs;
    const float* target;    ///< divergence that each cell should have, m/s per cell; nullptr for none
    const float* pressure;  ///< solution, m/s
    const float* jump;      ///< pressure at the surface by tension, m/s; nullptr for none
    float* layer[3];        ///< how far a face is from the liquid: 0 where its velocity counts
};

/// What the faces of cells say of the cells.
struct FacesPass {
    const grid::LeafSet* leaves;
    const float* faces[3];  ///< fields begin at leaf 0
    float* cells;           ///< of one leaf
};

struct ExtendPass {
    const grid::LeafSet* leaves;
    const float *velocity, *layer;  ///< of one axis, from leaf 0
    float number;                   ///< of the layer that is being made: from all below it
};
/// Floats that extend() writes for a row: velocities, then layers.
inline constexpr std::size_t extended_row = 2 * grid::leaf_width;

struct GridKernels {
    /// Adds particles to the cells around them in the leaf's buffer, under a tent of two cells' width.
    void (*measure_filling)(const LeafPlace& place, const Float4* x, std::uint32_t first, std::uint32_t last,
                            float* buffer);
    /// Puts particles' squared distances to the centres around them into the leaf's buffer.
    void (*measure_distance)(const LeafPlace& place, const Float4* x, std::uint32_t first, std::uint32_t last,
                             float* buffer);
    /// Distance of the cells of a leaf: of `deep` ones, and of others by how full they are of the `room` that walls
    /// leave; nullptr if there are none. Returns whether there are particles to tell.
    bool (*combine_filling)(const AroundPass&, std::size_t leaf, const LeafMask& deep, const float* room);
    /// Where the surface is not that of a bulk balls around particles take the place of filling; `wide` is the distance
    /// according to the 27 cells around each cell.
    void (*combine_distance)(const AroundPass&, std::size_t leaf, const float* wide);
    /// Mean of each cell's six faces, and the size of the vector of the means on each axis.
    void (*mean_of_faces)(const FacesPass&, std::size_t leaf);
    void (*size_of_faces)(const FacesPass&, std::size_t leaf);
    /// Matrix and right-hand side of a leaf's cells; returns the number of unknowns.
    int (*assemble)(const PressurePass&, std::size_t leaf);
    /// Takes the pressure's gradient off the faces of a leaf and sets their layers.
    void (*project)(const PressurePass&, std::size_t leaf);
    /// Velocities and layers of the given rows of a leaf, bit z * 8 + y of each, one after the other: faces that have
    /// none get the mean of those beside them.
    void (*extend)(const ExtendPass&, std::size_t leaf, std::uint64_t rows, float* out);
    /// Faces of a leaf that have a velocity.
    void (*find_known)(const float* layer, LeafMask& known);
    /// Largest velocity among a leaf's faces that count.
    float (*fastest)(const float* velocity, const float* layer);
};

SPINDRIFT_DISPATCH(GridKernels, grid_kernels)

}  // namespace spindrift::mac
