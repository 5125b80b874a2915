#pragma once
// A box of cells around the particles, numbered row by row.
//
//   CellGrid grid(x, h);
//   std::uint64_t key = grid.key(x[i]);          // key + 1 is the next cell in x, key + row() in y, key + layer() in z
//
// Source     Onderik, thesis, section 2.1
// Equations  Eq. 1: cell(p) = floor((p - p0) / h) per axis, index(i, j, k) = i + I j + I J k
// Differs    I and J follow the box of the particles (2^10 there). Cells count from 1, row 0 and column 0 stay empty:
//            a neighbour's index never wraps into an occupied row. The edge is a hair longer than h.
// Symbols    p0 lower corner, I = row(), I J = layer()

#include <cstdint>

#include "spindrift/core/channel.h"
#include "spindrift/core/vec.h"

namespace spindrift::neighbors::reference {

/// More cells than this along one axis and their edge is lost in rounding.
inline constexpr double max_cells_per_axis = 0x1p30;

/// Edge of a cell: longer than h by far more than the rounding of a cell coordinate, so that particles less than h
/// apart never come to lie two cells apart.
constexpr double cell_edge(float h) {
    return static_cast<double>(h) * (1 + 0x1p-20);
}

class CellGrid {
  public:
    /// Cells around all particles, and `margin` more on every side for their next steps.
    /// Throws std::length_error if they are too many to be numbered, or a position is not finite.
    CellGrid(ConstChannel<Vec3f> x, float h, int margin = 0);

    /// False also for positions that are not finite.
    bool contains(Vec3f x) const {
        const Vec3d c = coordinates(x);
        return c.x >= 1 && c.x < end_.x && c.y >= 1 && c.y < end_.y && c.z >= 1 && c.z < end_.z;
    }
    /// Number of the cell of a position that the grid contains.
    std::uint64_t key(Vec3f x) const {
        const auto c = vec_cast<std::int64_t>(coordinates(x));
        return static_cast<std::uint64_t>(c.x + row_ * c.y + layer_ * c.z);
    }

    std::uint64_t row() const { return static_cast<std::uint64_t>(row_); }
    std::uint64_t layer() const { return static_cast<std::uint64_t>(layer_); }
    /// Bits that hold every key.
    int key_bits() const { return key_bits_; }

  private:
    /// Cells from one on; the first cell is added last, so that the lower corner of the particles comes out exactly.
    Vec3d coordinates(Vec3f x) const { return (vec_cast<double>(x) - corner_) * cells_per_metre_ + first_cell_; }

    Vec3d corner_;
    double cells_per_metre_;
    Vec3d first_cell_, end_;
    std::int64_t row_, layer_;
    int key_bits_;
};

}  // namespace spindrift::neighbors::reference
