#pragma once
// Removes the divergence that is smooth over several spacings from the particles' velocities, before the density solve.
//
// Local iterations carry pressure a few particles per step, so a deep tank would sag under its weight. Here one coarse
// potential phi takes the part that is smooth: v <- v - grad phi, phi from the normal equations of the projection,
//   sum_j A_ij phi_j = sum_p V grad N_i(x_p) . v_p,   A_ij = sum_cells fill_c int grad N_i . grad N_j,
// with trilinear hats N on nodes 2 h apart. Walls are natural boundaries of this form, free surfaces have phi = 0 on
// nodes that are not filled. It is a projection in the particles' own inner product, so it cannot add energy.
// Source: our own, after the variational pressure solve of Batty et al. 2007; measurements in docs/decisions/0004.
// Symbols: lengths in support radii, a block is the 4 x 4 x 4 nodes of a leaf.
//
//   CoarseProjection coarse;
//   float moved = coarse.project(grid, walls, x, v, n, dt / h);   // also moves x along, returns the largest move

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::pbf {

class CoarseProjection {
  public:
    /// Projects the velocities (m/s) of sorted particles and moves their positions by the change times `dt_per_h`.
    /// Returns the largest move of a coordinate, which is never more than `largest_move`.
    float project(const neighbors::LeafGrid& grid, const collision::Walls& walls, Float4* x, Float4* v, float dt_per_h);

    static constexpr float largest_move = 0.25f;

    int iterations() const { return iterations_; }

  private:
    static constexpr int nodes = 64;           ///< per block
    static constexpr int leaf_nodes = 125;     ///< a leaf's particles reach one layer of the next blocks' nodes

    void make_blocks(std::span<const neighbors::Leaf> leaves);
    void scatter(std::span<const neighbors::Leaf> leaves, const Float4* x, const Float4* v);
    void gather_nodes(const collision::Walls& walls);
    void assemble();
    void solve();
    double apply(const Buffer<float>& in, Buffer<float>& out);
    float correct(std::span<const neighbors::Leaf> leaves, Float4* x, Float4* v, float dt_per_h);

    struct Block {
        Vec3i coord;
        std::int32_t leaf;           ///< leaf of the same place, -1 if it holds no particles
        std::int32_t neighbors[27];  ///< block indices, -1 where none
    };
    std::vector<Block> blocks_;
    std::vector<std::int32_t> block_of_leaf_;
    Buffer<float> leaf_rhs_{"coarse projection"}, leaf_fill_{"coarse projection"}, cell_fill_{"coarse projection"};
    Buffer<float> coefficients_{"coarse projection"};  ///< 27 planes of 64 for each block
    Buffer<float> rhs_{"coarse projection"}, phi_{"coarse projection"}, residual_{"coarse projection"};
    Buffer<float> direction_{"coarse projection"}, product_{"coarse projection"}, active_{"coarse projection"};
    int iterations_ = 0;
};

}  // namespace spindrift::pbf
