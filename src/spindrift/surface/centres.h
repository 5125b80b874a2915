#pragma once
// What the normalized function keeps between its two passes: where the centres of particles around each point are, and
// how much weight is there.
//
//   Centres centres(band, weights, memory);
//   centres.begin({.reach = 1.4f, .unit = 0.01});
//   centres.fill(leaf); centres.keep(leaf, block, totals);         // the first pass: phi holds levels
//   centres.finish(leaf, block);                                   // the second: phi is a distance

#include <cstdint>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/surface/band.h"

namespace spindrift::surface {

/// Where point k of a block lies in its leaf.
inline int point_of(int block, int k) {
    return point_index(block_corner(block) + Vec3i{k & 3, k >> 2 & 1, k >> 3});
}

/// Sums of all classes at the points of a block: weights, ways to the centre and levels, in units.
struct BlockTotals {
    float w[16], x[16], y[16], z[16], level[16];
};

/// Ways to the centres of a block's points, in steps. The levels wait in phi.
struct BlockCentres {
    std::int16_t x[16], y[16], z[16];
};

class Centres {
  public:
    /// Lengths that centres are kept and used in.
    struct Scale {
        float reach = 1;  ///< of the coarsest class, in units
        double unit = 1;  ///< m
    };

    Centres(Band& band, Buffer<std::uint16_t>& weights, Buffer<BlockCentres>& centres)
        : band_(band), lattice_(band.lattice), weights_(weights), centres_(centres) {}

    void begin(const Scale& scale);
    /// Weights of a leaf's points as its phi says, before anything is evaluated.
    void fill(std::size_t leaf);
    /// No weight at the points of a block.
    void clear(std::size_t leaf, int block);
    void keep(std::size_t leaf, int block, const BlockTotals& sum);
    void finish(std::size_t leaf, int block);
    /// The summed weights at a point of the lattice; 1 is that of liquid.
    float weight(std::size_t point) const;

  private:
    BlockCentres& centres(std::size_t leaf, int block);
    float weight_at(std::size_t leaf, Vec3f p) const;
    std::uint16_t weight_of(std::size_t leaf, Vec3i point) const;

    Band& band_;
    Lattice& lattice_;
    Buffer<std::uint16_t>& weights_;  ///< sums of weights at all points, in steps
    Buffer<BlockCentres>& centres_;
    std::vector<std::uint32_t> first_block_;  ///< where the centres of each leaf's blocks begin
    float reach_ = 1, unit_ = 1, points_per_unit_ = 1;
};

}  // namespace spindrift::surface
