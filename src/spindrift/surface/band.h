#pragma once
// Where a surface can be: the part of the lattice that has to be evaluated, found by counting particles in cells.
//
// A cell is inside when it and its 26 neighbours all hold at least `full_cell` particles, outside when all are empty;
// everything else may have a surface. With several liquids, a place is inside only if its neighbourhood holds one
// liquid.
// Source: surface record, decision 0012. Symbols: a block is 4 x 2 x 2 points of a leaf, what is evaluated at once.
//
//   Band band = find_band(cells, {.voxel = 0.005});
//   bool evaluate = band.blocks[leaf] >> block & 1;

#include <cstdint>
#include <vector>

#include "spindrift/neighbors/particle_cells.h"
#include "spindrift/surface/lattice.h"

namespace spindrift::surface {

/// Particles of eight that a cell inside holds at least; with five no surface was missed in a breaking dam.
inline constexpr int full_cell = 5;

inline constexpr Vec3i block_width{4, 2, 2};
inline constexpr int leaf_blocks = 32;

/// Low corner of a block in its leaf.
constexpr Vec3i block_corner(int block) {
    return {(block & 1) * 4, (block >> 1 & 3) * 2, (block >> 3) * 2};
}

struct Band {
    /// Leaves and their neighbours. Every point beside one that is evaluated has a leaf.
    Lattice lattice;
    std::vector<std::uint32_t> blocks;  ///< of each leaf: a bit for each block to evaluate
    /// The same: blocks deep inside where liquids meet, of which only the labels are asked.
    std::vector<std::uint32_t> label_blocks;
    /// For each leaf, a bit for each point that is inside as far as counting tells; of meaning outside of the blocks.
    std::vector<std::uint64_t> inside;  ///< 8 words for each leaf
};

/// With several liquids (`labels`) the lattice's labels are filled too, outside of the blocks.
Band find_band(const neighbors::ParticleCells& cells, double voxel, bool labels);

}  // namespace spindrift::surface
