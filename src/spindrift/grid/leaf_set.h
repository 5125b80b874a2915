#pragma once
// A sparse grid: leaves of 8 x 8 x 8 cells in the order of a Z-curve, each with its 26 neighbours.
//
// Leaf 0 is nobody's: it stands for all the leaves that are not there, so that loops meet a constant (zero, air) beyond
// the border instead of asking. Source: the layout of OpenVDB's leaves (Museth 2013) over a flat, sorted table.
//
//   LeafSet leaves;
//   leaves.assign(coords);                                  // in any order, repetitions count once
//   for (std::size_t l = 1; l < leaves.size(); ++l) { ... field.leaf(l)[cell_index(x, y, z)] ... }
//
// Where several ranks share a grid, some of the leaves are ghosts of others': whoever changes what is read across
// leaves refreshes it (refresh() of field.h), and sums go over the leaves of all ranks. One rank alone has no ghosts.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/ranks/halo.h"

namespace spindrift::grid {

inline constexpr int leaf_width = 8;
inline constexpr int leaf_rows = leaf_width * leaf_width;
inline constexpr int leaf_cells = leaf_rows * leaf_width;

/// Place of a cell in its leaf: rows run along x.
constexpr int cell_index(int x, int y, int z) {
    return (z * leaf_width + y) * leaf_width + x;
}

/// One bit for each cell of a leaf: a word for each z, a byte for each row of x.
using LeafMask = std::array<std::uint64_t, leaf_width>;

/// Place among the 27 neighbours of a leaf, for offsets of -1, 0 and 1.
constexpr int neighbor_index(int dx, int dy, int dz) {
    return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}

class LeafSet {
  public:
    LeafSet() { clear(); }

    void assign(std::span<const Vec3i> coords);
    void clear();

    /// Leaves with leaf 0, which is always there.
    std::size_t size() const { return coords_.size(); }
    bool empty() const { return coords_.size() <= 1; }
    Vec3i coord(std::size_t leaf) const { return coords_[leaf]; }
    /// 27 leaves, x fastest, the leaf itself at 13; 0 where there is none.
    const std::int32_t* neighbors(std::size_t leaf) const { return neighbors_.data() + 27 * leaf; }
    /// 0 if there is none.
    std::int32_t find(Vec3i coord) const;

    /// Works with others from now on: the halo knows which leaves are ghosts, and whose.
    void share(ranks::Ranks& ranks, ranks::Halo halo);
    ranks::Ranks& ranks() const { return *ranks_; }
    const ranks::Halo& halo() const { return halo_; }

  private:
    ranks::Ranks* ranks_ = &ranks::alone();
    ranks::Halo halo_;
    std::vector<Vec3i> coords_;
    std::vector<std::uint64_t> keys_;      ///< of the leaves behind leaf 0
    std::vector<std::int32_t> neighbors_;  ///< those of leaf 0 are all leaf 0
    std::vector<std::int32_t> table_;      ///< open addressing: leaf, 0 where free
};

}  // namespace spindrift::grid
