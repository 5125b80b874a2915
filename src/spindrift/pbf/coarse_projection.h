#pragma once
// Removes the divergence that is smooth over several spacings from the particles' velocities, before the density solve.
//
// Local iterations carry pressure a few particles per step, so a deep tank would sag under its weight. Here one coarse
// potential phi takes the part that is smooth: v <- v - grad phi, phi from the normal equations of the projection,
//   sum_j A_ij phi_j = sum_p V grad N_i(x_p) . v_p,   A_ij = sum_cells fill_c int grad N_i . grad N_j,
// with trilinear hats N on nodes 2 h apart. Walls are natural boundaries of this form, free surfaces have phi = 0 on
// nodes that are not filled. Particles are no perfect quadrature: what sum_p V grad N_i has beside the walls' share is
// noise, which must not see the velocity of the whole; only gravity, which A meets with the same noise, is left to it.
// Without walls the mean of the change is taken out, so a liquid in free flight keeps its momentum.
// Source: our own, after the variational pressure solve of Batty et al. 2007; measurements in docs/decisions/0004.
// Symbols: lengths in support radii, a block is the 4 x 4 x 4 nodes of a leaf.
//
//   CoarseProjection coarse;
//   coarse.project(grid, walls, gravity * dt, x, v, dt / h);      // moves x along with v

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls.h"
#include "spindrift/core/buffer.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::pbf {

class CoarseProjection {
  public:
    /// Projects the velocities (m/s) of sorted particles and moves their positions by the change times `dt_per_h`, at
    /// most neighbors::largest_move; the grid's leaves learn how far. `gravity` is the velocity it gave in this step.
    void project(neighbors::LeafGrid& grid, const collision::Walls& walls, Vec3f gravity, Float4* x, Float4* v,
                 float dt_per_h);

  private:
    static constexpr int nodes = 64;        ///< per block
    static constexpr int leaf_nodes = 125;  ///< a leaf's particles reach one layer of the next blocks' nodes

    void make_blocks(std::span<const neighbors::Leaf> leaves);
    void scatter(std::span<const neighbors::Leaf> leaves, const Float4* x, const Float4* v);
    void gather_nodes(const collision::Walls& walls, Vec3f gravity);
    void activate_wall_nodes();
    void assemble();
    void solve();
    double apply(const Buffer<float>& in, Buffer<float>& out);
    void correct(std::span<neighbors::Leaf> leaves, Vec3f balance, Float4* x, Float4* v, float dt_per_h);
    Vec3f mean_change() const;

    struct Block {
        Vec3i coord;
        std::int32_t leaf;           ///< leaf of the same place, -1 if it holds no particles
        std::int32_t neighbors[27];  ///< block indices, -1 where none
    };
    /// Sums over the particles around a node.
    struct NodeSums {
        float rhs;       ///< of V grad N . v
        float fill;      ///< of V N
        Vec3f gradient;  ///< of V grad N
        Vec3f velocity;  ///< of V N v
    };
    NodeSums collect(const Block& block, const int at[3]) const;
    bool follows_neighbors(std::size_t block, int node) const;

    static bool takes_part(const neighbors::Leaf& leaf);

    std::vector<Block> blocks_;
    std::vector<std::size_t> active_blocks_;  ///< those with liquid nodes
    std::vector<std::int32_t> block_of_leaf_;
    Buffer<NodeSums> leaf_sums_{"coarse projection"};
    Buffer<float> cell_fill_{"coarse projection"};
    Buffer<float> coefficients_{"coarse projection"};  ///< 27 planes of 64 for each active block
    Buffer<float> available_{"coarse projection"};     ///< share of a node's hat that walls leave free
    Buffer<float> active_{"coarse projection"};        ///< 1 where phi is free, 0 where it vanishes
    Buffer<float> fill_{"coarse projection"};          ///< sum of V N
    Buffer<Vec3f> gradient_{"coarse projection"};      ///< sum of V grad N
    Buffer<float> rhs_{"coarse projection"}, phi_{"coarse projection"}, residual_{"coarse projection"};
    Buffer<float> direction_{"coarse projection"}, product_{"coarse projection"};
};

}  // namespace spindrift::pbf
