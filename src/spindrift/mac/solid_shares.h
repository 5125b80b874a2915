#pragma once
// How much of cells and faces walls leave: from distances at the corners of a leaf's cells, and from boxes themselves.
// Lengths in cells.
//
//   const Corners phi = sample_corners(walls, coord);
//   const Shares volume(phi);                             // of cells, one layer around the leaf too
//   float open = open_share(phi, cell, axis);             // of a cell's lower face

#include <array>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::mac {

/// Corners of a leaf's cells and of one layer of cells around them.
inline constexpr int corners = grid::leaf_width + 3;

/// Cells of a leaf: those from `lo` to before `hi`.
struct CellRange {
    Vec3i lo{}, hi{grid::leaf_width, grid::leaf_width, grid::leaf_width};

    bool empty() const { return lo.x >= hi.x || lo.y >= hi.y || lo.z >= hi.z; }
    bool has(Vec3i c) const {
        return c.x >= lo.x && c.y >= lo.y && c.z >= lo.z && c.x < hi.x && c.y < hi.y && c.z < hi.z;
    }
};

/// Calls f(cell) for each, x fastest.
template <class F>
void for_each_cell(const CellRange& range, const F& f) {
    for (int z = range.lo.z; z < range.hi.z; ++z) {
        for (int y = range.lo.y; y < range.hi.y; ++y) {
            for (int x = range.lo.x; x < range.hi.x; ++x)
                f(Vec3i{x, y, z});
        }
    }
}

/// A block of cells, or of a face, which has no extent along its axis.
struct Block {
    Vec3f lo, hi;
};

/// Boxes that cut a leaf or the cells around it: rooms, and solids in them.
struct NearBoxes {
    std::vector<Block> rooms{}, solids{};
    Block inside_all{};  ///< what all rooms have in common

    /// Whether none has a part of a block, or touches it.
    bool leave(Vec3f lo, Vec3f hi) const {
        const auto& [first, last] = inside_all;
        return solids.empty() && lo.x > first.x && lo.y > first.y && lo.z > first.z && hi.x < last.x && hi.y < last.y &&
               hi.z < last.z;
    }
};

struct Corners {
    std::array<float, corners * corners * corners> at{};
    const collision::Walls& walls;
    NearBoxes boxes{};
    Vec3f first;        ///< corner of the leaf
    CellRange range{};  ///< distances are known around these cells

    float operator()(int x, int y, int z) const {
        return at[static_cast<std::size_t>(((z + 1) * corners + y + 1) * corners + x + 1)];
    }
    float& node(Vec3i n) { return at[static_cast<std::size_t>(((n.z + 1) * corners + n.y + 1) * corners + n.x + 1)]; }
    /// Share that boxes leave of some cells, or of a face, which has no extent along its axis.
    float share_of_boxes(Vec3i from, Vec3i size) const;
};

Corners sample_corners(const collision::Walls& walls, Vec3i coord, const CellRange& range = {});

/// The cells of a leaf that fields may be near to.
CellRange cells_near(const std::vector<collision::WallField>& fields, Vec3i coord);

/// Shares of a leaf's cells, of those that distances are known around, and of one layer of cells around them.
struct Shares {
    static constexpr int width = grid::leaf_width + 2;
    std::array<float, width * width * width> at;
    std::array<bool, grid::leaf_cells> free{};  ///< whether no wall has a part of the 27 cells around one

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
    std::array<float, grid::leaf_cells> narrow{};  ///< of two cells' width around its middle
    std::array<float, grid::leaf_cells> wide{};    ///< the mean of six such tents, around the middles of its faces

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
