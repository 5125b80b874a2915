#pragma once
// Where the liquid is: distance from the union of balls around its particles, measured near the surface only.
//
// Source: Zhu and Bridson 2005, section 5 (particles as balls). Symbols: phi, negative inside.
//
//   LiquidSurface surface;
//   surface.find(grid, cells, solids, sorted_leaves, x);     // sets grid.phi; deep(leaf) has all 26 neighbours full

#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/flip/cells.h"
#include "spindrift/flip/mac_grid.h"
#include "spindrift/flip/solids.h"

namespace spindrift::flip {

class LiquidSurface {
  public:
    void find(MacGrid& grid, const Cells& cells, const Solids& solids, const neighbors::LeafGrid& sorted,
              const Float4* x);

    /// Cells that have only cells with liquid or solids around them.
    const LeafMask& deep(std::size_t leaf) const { return deep_[leaf]; }
    /// The same for cells that walls cut, whose liquid need not have a particle.
    const LeafMask& enclosed(std::size_t leaf) const { return enclosed_[leaf]; }
    /// Empty ones that are gaps between particles.
    const LeafMask& gaps(std::size_t leaf) const { return gaps_[leaf]; }
    /// Deep ones that have only such cells or solids around them.
    const LeafMask& deeper(std::size_t leaf) const { return deeper_[leaf]; }

  private:
    void find_deep(const MacGrid& grid, const Solids& solids);
    void extend_into_walls(MacGrid& grid, const Solids& solids) const;

    std::vector<LeafMask> filled_, gaps_, enclosed_, deep_, deeper_, measured_;  ///< by leaf
    std::vector<std::int32_t> buffer_of_;
    Buffer<float> distances_{"surface"};
};

}  // namespace spindrift::flip
