#pragma once
// Where the liquid is: distance from the surface of what its particles fill, measured near the surface only.
//
// How full the cells are tells where a surface is to a few hundredths of a cell, if there is a bulk below it. Thin
// layers and drops are balls around their particles (Zhu and Bridson 2005, section 5). docs/decisions/0019.
// Symbols: phi, negative inside.
//
//   LiquidSurface surface;
//   surface.find(grid, cells, solids, sorted_leaves, x);     // sets grid.phi; deep(leaf) has all 26 neighbours full

#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/grid_kernels.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::mac {

class LiquidSurface {
  public:
    void find(MacGrid& grid, const Cells& cells, const Solids& solids, const neighbors::LeafGrid& sorted,
              const Float4* x);

    /// How full each cell is of what walls leave, 1 where liquid rests: smoother than counts of particles, which jump
    /// as particles cross the borders of cells.
    const float* fullness(std::size_t leaf) const { return fullness_.leaf(leaf); }
    /// Cells that have only cells with liquid or solids around them.
    const LeafMask& deep(std::size_t leaf) const { return deep_[leaf]; }
    /// The same for cells that walls cut, whose liquid need not have a particle.
    const LeafMask& enclosed(std::size_t leaf) const { return enclosed_[leaf]; }
    /// Empty ones that are gaps between particles.
    const LeafMask& gaps(std::size_t leaf) const { return gaps_[leaf]; }
    /// Deep ones that have only such cells or solids around them.
    const LeafMask& deeper(std::size_t leaf) const { return deeper_[leaf]; }

  private:
    struct Particles {
        const Cells& cells;
        const neighbors::LeafGrid& sorted;
        const Float4* x;
    };
    using MeasureKernel = void (*)(const LeafPlace&, const Float4*, std::uint32_t, std::uint32_t, float*);

    void find_fullness(const MacGrid& grid, const Solids& solids);
    void find_deep(const MacGrid& grid, const Solids& solids);
    template <class Wanted>
    void gather(const MacGrid& grid, const Particles& particles, MeasureKernel measure, float start,
                const Wanted& wanted);
    void find_filling(MacGrid& grid, const Solids& solids, const Particles& particles);
    void find_layers(MacGrid& grid, const Particles& particles);
    static const std::uint16_t* crowd_of(const MacGrid& grid, const Cells& cells, std::size_t leaf, std::uint16_t* own);
    void extend_into_walls(MacGrid& grid, const Solids& solids) const;

    std::vector<LeafMask> filled_, gaps_, enclosed_, deep_, deeper_, measured_;  ///< by leaf
    std::vector<std::uint8_t> thin_;  ///< by leaf: has cells that are not of a bulk
    std::vector<std::int32_t> buffer_of_;
    std::vector<std::size_t> measuring_;  ///< leaves that have a buffer
    Buffer<float> around_{"surface"};
    grid::Field<float> wide_{"surface"}, fullness_{"surface"};
};

}  // namespace spindrift::mac
