#pragma once
// Removes the divergence that is smooth over several spacings from the particles' velocities, before the density solve.
//
// Local iterations carry pressure a few particles per step, so a deep tank would sag under its weight. Here one coarse
// potential phi takes the part that is smooth: v <- v - grad phi / rho, phi from the normal equations of the
// projection,
//   sum_j A_ij phi_j = sum_p V grad N_i(x_p) . v_p,   A_ij = sum_cells (fill_c / rho_c) int grad N_i . grad N_j,
// with trilinear hats N on nodes 2 h apart. Walls are natural boundaries of this form, nodes that hold next to nothing
// behind them take phi of a neighbour (coarse_slivers.h), free surfaces have phi = 0 on nodes that are not filled.
// Particles are no perfect quadrature: what sum_p V grad N_i has beside the walls' share is noise, which must not see
// the velocity of the whole; only gravity, which A meets with the same noise, is left to it.
// Each particle answers with its own density, so that light ones rise through heavy ones. Without walls the mean of the
// change is taken out, so a liquid in free flight keeps its momentum. Bodies answer within the solve: A gets the term
// K M^-1 K^T, K_i the push of node i on a body and M its mass (coarse_bodies.h), so that one much lighter than the
// liquid it moves is as stable as any. Source: our own, after the variational pressure
// solve of Batty et al. 2007; measurements in docs/decisions/0004. Symbols: lengths in support radii, a block is the 4
// x 4 x 4 nodes of a leaf.
//
//   CoarseProjection coarse;
//   coarse.project(grid, walls, {density}, gravity * dt, x, v, dt / h);      // moves x along with v

#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/pbf/coarse/coarse_bodies.h"
#include "spindrift/pbf/coarse/coarse_scatter.h"
#include "spindrift/pbf/coarse/coarse_slivers.h"
#include "spindrift/pbf/coarse/coarse_system.h"

namespace spindrift::pbf {

class CoarseProjection {
  public:
    using Bodies = CoarseBodies::Settings;

    /// Projects the velocities (m/s) of sorted particles and moves their positions by the change times `dt_per_h`, at
    /// most neighbors::largest_move; the grid's leaves learn how far. Densities are relative to the densest liquid;
    /// `gravity` is the velocity it gave in this step.
    /// Returns the iterations of the solve.
    int project(neighbors::LeafGrid& grid, const collision::Walls& walls, const fluid::PerParticle& density,
                Vec3f gravity, Float4* x, Float4* v, float dt_per_h, const Bodies& bodies);
    int project(neighbors::LeafGrid& grid, const collision::Walls& walls, const fluid::PerParticle& density,
                Vec3f gravity, Float4* x, Float4* v, float dt_per_h) {
        return project(grid, walls, density, gravity, x, v, dt_per_h, Bodies{});
    }

  private:
    /// The particles of a projection, and what they are among.
    struct Particles {
        neighbors::LeafGrid& grid;
        const collision::Walls& walls;
        const fluid::PerParticle& density;
        Float4 *x, *v;
        float dt_per_h;
        Vec3f balance;  ///< velocity that is taken from all
        bool floating;  ///< there are bodies and nothing else: what one side loses the other gains
    };

    CoarseSurroundings around(const collision::Walls& walls) const { return {blocks_, walls_, walls}; }
    void gather_nodes(const collision::Walls& walls, Vec3f gravity);
    void gather_block(const CoarseSurroundings& around, std::size_t block, Vec3f carried,
                      std::vector<CoarseBodies::Node>* found);
    Vec3f mean_change() const;
    void correct(const Particles& particles);
    void correct_leaf(const Particles& particles, std::size_t leaf);

    CoarseBlocks blocks_;
    CoarseScatter scatter_;
    CoarseWalls walls_;
    CoarseLiquid liquid_;
    CoarseBodies bodies_;
    CoarseSlivers slivers_;
    CoarseSystem system_;
    std::vector<LeafChange> leaf_changes_;
};

}  // namespace spindrift::pbf
