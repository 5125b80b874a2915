#pragma once
// What bodies displace of the volume around each face, which reaches from the middle of one cell to that of the next.
//
// Source: Batty, Bertails and Bridson 2007, sections 4 and 5: faces count by the volume of liquid around them, and the
// pressure pushes a body by its volumes around faces times the slope between cells. A linear pressure so lifts it by
// its volume, however small it is and wherever it stands among the cells. Lengths in cells.
//
//   Displaced displaced;
//   displaced.find(leaves, walls);
//   for (const DisplacedFace& face : displaced.faces(leaf)) ...     // each takes `share` from what is open

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/grid/leaf_set.h"

namespace spindrift::mac {

/// What one body displaces around a face.
struct DisplacedFace {
    std::uint32_t leaf;
    std::uint16_t cell;  ///< in its leaf
    std::uint8_t axis;
    std::int16_t body;
    float share;
    Vec3f center;    ///< of that volume
    Vec3f velocity;  ///< of the body there; m/s
};

class Displaced {
  public:
    /// Whether a body's inside is known, and it is more than a wall: thick, or so small that liquid goes around it.
    static bool counts(const collision::WallField& field);

    void find(const grid::LeafSet& leaves, const collision::Walls& walls);
    void clear() { faces_.clear(), starts_.clear(); }
    bool empty() const { return faces_.empty(); }
    std::span<const DisplacedFace> faces(std::size_t leaf) const {
        if (faces_.empty()) return {};
        return {faces_.data() + starts_[leaf], starts_[leaf + 1] - starts_[leaf]};
    }

  private:
    std::vector<DisplacedFace> faces_;  ///< by leaf, then in the order of the walls
    std::vector<std::size_t> starts_;   ///< by leaf
};

}  // namespace spindrift::mac
