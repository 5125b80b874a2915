#pragma once
// Makes the particles' velocities free of divergence on a grid, before the density solve.
//
// Local iterations carry pressure a few particles per step, so a deep tank would sag under its weight. Here the
// velocities of a step go to the faces of a grid, pressure makes them free of divergence, and what it changed goes back
// to the particles (Zhu and Bridson 2005, FLIP with a blend of 1). Cells are two spacings wide. The surface stands
// where cells are filled to, a fraction of a spacing (ghost values, Enright et al. 2003), walls close shares of faces
// (Batty et al. 2007), bodies answer within the solve (there, section 5). docs/decisions/0027. Differs: the surface is
// that of the beginning of the step, so that waves neither gain nor lose (symplectic Euler); bodies feel the pressure
// at their walls instead of in the middle of cells. Symbols: lengths in cells, which are the largest support radius;
// pressure as a velocity.
//
//   Projection projection;
//   projection.project(grid, walls, densities, x, v, dt / h, held, {coupling, unit, density});   // moves x along with
//   v

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/fluid/held_particles.h"
#include "spindrift/fluid/per_particle.h"
#include "spindrift/grid/conjugate_gradients.h"
#include "spindrift/mac/grid_kernels.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/pressed_bodies.h"
#include "spindrift/mac/solids.h"
#include "spindrift/neighbors/leaf_grid.h"
#include "spindrift/pbf/projection/face_densities.h"
#include "spindrift/pbf/projection/free_momentum.h"
#include "spindrift/pbf/projection/projected_leaves.h"

namespace spindrift::pbf {

class Projection {
  public:
    /// Bodies among the walls, and what the projection's units are.
    struct Bodies {
        fluid::Coupling* coupling = nullptr;
        double unit = 1;     ///< m
        double density = 1;  ///< of the liquid, kg/m^3
    };

    /// Projects the velocities (m/s) of sorted particles and moves their positions by the change times `dt_per_h`, at
    /// most neighbors::largest_move; the sort's leaves learn how far. Densities are relative to the largest. Returns
    /// the iterations of the solve.
    int project(neighbors::LeafGrid& sorted, const collision::Walls& walls, const fluid::PerParticle& density,
                Float4* x, Float4* v, float dt_per_h, const fluid::HeldParticles& held, const Bodies& bodies);

  private:
    /// The particles of a projection, and what they are among.
    struct Particles {
        neighbors::LeafGrid& sorted;
        const collision::Walls& walls;
        Float4 *x, *v;
        float dt_per_h;
        bool free;  ///< nothing takes momentum but bodies
        fluid::PerParticle density;

        std::size_t count() const { return sorted.leaves().back().first + sorted.leaves().back().count; }
    };

    void scatter(const Particles& particles);
    void find_surface(const Float4* x, float dt_per_h);
    void leave_out_thin_liquid();
    void find_near_air();
    void take_surface_back(float dt_per_h);
    void keep_velocities();
    int solve(const Particles& particles, const fluid::HeldParticles& held, const Bodies& bodies);
    int solve_once(const Particles& particles, const fluid::HeldParticles& held, const Bodies& bodies);
    mac::PressurePass pressure_pass();
    void add_walls(const fluid::Coupling* coupling);
    void add_nozzles(const Particles& particles, const fluid::HeldParticles& held);
    void find_change();
    void correct(const Particles& particles);
    void correct_leaf(const Particles& particles, std::size_t leaf);
    static float share_at(float phi);
    const float* find_shares(const Float4* x, std::uint32_t leaf, std::uint32_t first, std::uint32_t last) const;
    void part(const Particles& particles, std::uint32_t leaf, std::uint32_t first, std::uint32_t last);
    void keep_momentum(const Particles& particles, const Bodies& bodies);

    ProjectedLeaves particles_;
    mac::MacGrid grid_;
    mac::Solids solids_{mac::Parting::thin_bodies};
    mac::PressedBodies bodies_;
    FaceDensities densities_;
    grid::Stencil stencil_{"projection"};
    grid::Field<float> rhs_{"projection"}, earlier_{"projection"};
    grid::PoissonSolver solver_;
    std::vector<grid::LeafMask> reached_;   ///< by axis, then leaf: faces that have a velocity before the pressure
    std::vector<grid::LeafMask> near_air_;  ///< by leaf: cells of air, and those beside them
    Buffer<Float4> change_{"projection"};
    std::vector<LeafChange> leaf_changes_;
};

}  // namespace spindrift::pbf
