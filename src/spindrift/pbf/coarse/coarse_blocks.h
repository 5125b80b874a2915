#pragma once
// Nodes and cells of the coarse projection: blocks of 4 x 4 x 4 of each, and the leaves of particles that reach them.
// Lengths in support radii. A node and the cell above it on each axis have the same index.
//
//   CoarseBlocks blocks;
//   blocks.make(grid);
//   float phi = values[blocks.index_near(block, {4, 0, 0})];          // of the first node of the next block along x

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::pbf {

struct CoarseBlocks {
    static constexpr float node_spacing = 2;  ///< in support radii
    static constexpr float cell_volume = node_spacing * node_spacing * node_spacing;
    static constexpr int nodes = 64;  ///< per block, and cells
    /// A leaf's particles lie in at most this many cells along an axis, and reach one layer of nodes more.
    static constexpr int leaf_cells = 5, leaf_nodes = leaf_cells + 1;

    struct Block {
        Vec3i coord;
        std::int32_t neighbors[27];  ///< block indices, -1 where none
    };
    /// Where a leaf lies among the nodes, whatever its class.
    struct Place {
        Vec3i origin;         ///< first node
        int cells;            ///< along an axis
        float mass;           ///< of its particles
        std::int32_t middle;  ///< block from whose neighbours all its nodes can be reached; -1 if it takes no part
    };
    struct CoordHash {
        std::size_t operator()(const Vec3i& c) const {
            return static_cast<std::size_t>(c.x) * 73856093u ^ static_cast<std::size_t>(c.y) * 19349663u ^
                   static_cast<std::size_t>(c.z) * 83492791u;
        }
    };

    void make(const neighbors::LeafGrid& grid);

    std::size_t size() const { return blocks.size(); }
    std::size_t node_count() const { return blocks.size() * nodes; }
    /// Place among the 27 neighbours of a block.
    static int neighbor_index(int dx, int dy, int dz) { return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; }
    /// Whether there is a block around a node or cell, given by its place relative to the block's first; one block
    /// farther at most.
    bool has(std::size_t block, Vec3i at) const {
        return blocks[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)] >= 0;
    }
    std::size_t index_near(std::size_t block, Vec3i at) const {
        const std::int32_t other = blocks[block].neighbors[neighbor_index(at.x >> 2, at.y >> 2, at.z >> 2)];
        return static_cast<std::size_t>(other) * nodes +
               static_cast<std::size_t>(((at.z & 3) * 4 + (at.y & 3)) * 4 + (at.x & 3));
    }
    Vec3f position_near(std::size_t block, Vec3i at) const {
        return vec_cast<float>(blocks[block].coord * 4 + at) * node_spacing;
    }
    Vec3f position_of(std::size_t block, int node) const {
        return position_near(block, {node % 4, node / 4 % 4, node / 16});
    }

    std::vector<Block> blocks;                          ///< in the order of their keys, as leaves are
    std::vector<Place> places;                          ///< of the leaves
    std::vector<std::uint32_t> leaf_starts, leaves_at;  ///< leaves that reach each block, in their order

  private:
    using Index = std::unordered_map<Vec3i, std::int32_t, CoordHash>;
    void sort_by_key(Index& index);
    void link(const Index& index);
    void list_leaves();
};

}  // namespace spindrift::pbf
