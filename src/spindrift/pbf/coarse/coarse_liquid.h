#pragma once
// Which nodes of the coarse projection are liquid: those that particles fill, and beside and behind walls those whose
// neighbours are.
//
//   CoarseLiquid liquid;
//   liquid.resize(blocks.node_count());          // then all but `active_blocks` is set for each node
//   liquid.follow_walls({blocks, at_walls, walls}, gravity);

#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/pbf/coarse/coarse_walls.h"

namespace spindrift::pbf {

/// What nodes are among.
struct CoarseSurroundings {
    const CoarseBlocks& blocks;
    const CoarseWalls& at_walls;
    const collision::Walls& walls;
};

struct CoarseLiquid {
    void resize(std::size_t node_count);
    /// Decides about the nodes that cannot judge by themselves, and lists the blocks that have liquid.
    void follow_walls(const CoarseSurroundings& around, Vec3f gravity);
    /// Where the liquid in a node's hat is.
    Vec3f middle(const CoarseSurroundings& around, std::size_t block, int node) const;
    /// Volume of liquid in a node's hat. Walls may leave more free than particles fill, or less where liquid is
    /// compressed.
    float volume(std::size_t i) const;

    std::vector<std::size_t> active_blocks;                ///< those with liquid nodes
    Buffer<float> active{"coarse projection"};             ///< 1 where phi is free, 0 where it vanishes
    Buffer<float> fill{"coarse projection"};               ///< sum of V N
    Buffer<Vec3f> gradient{"coarse projection"};           ///< sum of V grad N
    Buffer<float> mobility{"coarse projection"};           ///< sum of V / rho in each cell, relative to its volume
    Buffer<float> available{"coarse projection"};          ///< share of a node's hat that walls leave free
    Buffer<std::uint8_t> behind{"coarse projection"};      ///< whether a thin wall hides a node from its liquid
    Buffer<std::uint8_t> near_field{"coarse projection"};  ///< how a field looks that cuts a node's hat; 0 if none does
    Buffer<std::uint8_t> follows{"coarse projection"};     ///< scratch: whether such a node belongs to the liquid
};

}  // namespace spindrift::pbf
