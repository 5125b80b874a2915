#pragma once
// How much of cells and faces walls leave: from distances at the corners of a leaf's cells, and from boxes themselves.
// Lengths in cells.
//
//   const Corners phi = sample_corners(walls, coord);
//   const Shares volume(phi);                             // of cells, one layer around the leaf too
//   float open = open_share(phi, cell, axis);             // of a cell's lower face

#include <array>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::mac {

/// Corners of a leaf's cells and of one layer of cells around them.
inline constexpr int corners = grid::leaf_width + 3;

struct Corners {
    std::array<float, corners * corners * corners> at{};
    const collision::Walls& walls;
    Vec3f first;  ///< corner of the leaf

    float operator()(int x, int y, int z) const {
        return at[static_cast<std::size_t>(((z + 1) * corners + y + 1) * corners + x + 1)];
    }
    /// Share that boxes leave of some cells, or of a face, which has no extent along its axis.
    float share_of_boxes(Vec3i from, Vec3i size) const;
};

Corners sample_corners(const collision::Walls& walls, Vec3i coord);

/// Shares of a leaf's cells and of one layer of cells around them.
struct Shares {
    static constexpr int width = grid::leaf_width + 2;
    std::array<float, width * width * width> at;

    explicit Shares(const Corners& phi);
    float operator()(Vec3i c) const {
        return at[static_cast<std::size_t>(((c.z + 1) * width + c.y + 1) * width + c.x + 1)];
    }
    /// Whether among the 27 around a cell are some that are neither free nor solid.
    bool is_cut(Vec3i c) const;
    /// Of those together.
    float around(Vec3i c) const;
};

/// Under tents around each cell of a leaf.
struct Tents {
    std::array<float, grid::leaf_cells> narrow;  ///< of two cells' width around its middle
    std::array<float, grid::leaf_cells> wide;    ///< the mean of six such tents, around the middles of its faces

    explicit Tents(const Corners& phi);
};

/// Of the lower face of a cell on an axis.
float open_share(const Corners& phi, Vec3i c, int axis);
/// Distance of the middle of a cell from all walls.
float middle(const Corners& phi, Vec3i c);
/// Which fields may part cells that share an open face: all of them, or of bodies only thin ones. What a thick body
/// closes of a face its corners tell; where it closed all of it a small ball would displace a fifth too much.
enum class Parting { all, thin_bodies };

/// Whether a wall too thin for the corners of cells stands between the middles of a cell and of the one below it, or
/// around one of them and ends before the other side of its cell.
bool is_parted(const Corners& phi, Vec3i cell, int axis, Parting parting);

}  // namespace spindrift::mac
