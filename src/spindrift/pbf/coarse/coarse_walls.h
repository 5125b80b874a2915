#pragma once
// Walls in the coarse projection: what they leave free of each node's support, and how fast they push. Kept from step
// to step as long as nothing of the walls moves.
//
//   CoarseWalls at_walls;
//   at_walls.find(blocks, walls);
//   if (const CoarseWalls::Block* beside = at_walls.beside(b)) beside->at[node].available;

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/pbf/coarse/coarse_blocks.h"

namespace spindrift::pbf {

class CoarseWalls {
  public:
    /// What walls do to a node, for a support of unit volume.
    struct AtNode {
        float available = 1;          ///< share of its hat that they leave free
        Vec3f gradient{};             ///< integral of the hat's gradient over that share
        float flow = 0;               ///< what moving walls push into it
        std::uint8_t near_field = 0;  ///< how a field looks from it; 0 if none is near
    };
    /// What a body adds to AtNode::gradient of a node.
    struct BodyTerm {
        int node, body;
        Vec3f gradient, moment, pivot;  ///< the moment is about the pivot
    };
    struct Block {
        std::array<AtNode, CoarseBlocks::nodes> at{};
        std::vector<BodyTerm> terms{};
    };

    void find(const CoarseBlocks& blocks, const collision::Walls& walls);
    /// nullptr away from walls.
    const Block* beside(std::size_t block) const { return blocks_[block]; }

  private:
    std::string state_;  ///< of the walls that the blocks below saw
    std::unordered_map<Vec3i, Block, CoarseBlocks::CoordHash> kept_;
    std::vector<const Block*> blocks_;
};

/// The field that hides a node from its liquid; nullptr if none does.
const collision::WallField* find_hiding(const collision::Walls& walls, Vec3f node, Vec3f liquid);

}  // namespace spindrift::pbf
