#pragma once
// The inside of the liquid without particles: away from surfaces and walls its velocities are on the grid alone.
//
// Source: Ferstl et al. 2016 (narrow band FLIP). Cells that are deeper than the band lose their particles; they are
// known as liquid from then on and move along the flow, with their velocities, by looking back along it. Where they
// come near to a surface, a wall or a nozzle they get particles again.
//
//   Interior interior(3);                                       // cells of particles below surfaces; 0 for no core
//   grid.make_leaves(sorted, cells, core.coords());
//   core.join(grid, cells, solids, held);                 // sets grid.core, and counts it as wet
//   core.put(grid);                                       // after the scatter: velocities of its faces
//   ... pressure, particles move ...
//   core.carry_out(particles, grid, cells, walls, cell);  // kills and seeds what was planned
//   core.advance(grid, cell, dt);                         // where it is at the end of the step

#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/flip/mac.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/masks.h"
#include "spindrift/mac/solids.h"
#include "spindrift/mac/transfer_kernels.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::flip {

class Interior {
  public:
    /// What a restart needs: leaves, their cells, and the velocities of the lower faces of all their cells, m/s.
    struct State {
        grid::LeafSet leaves{};
        std::vector<LeafMask> liquid{};  ///< by leaf
        grid::AxisFields<float> velocity{"core"};
    };

    explicit Interior(int band) : band_(band) { clear(); }

    bool is_used() const { return band_ > 0; }
    const State& state() const { return state_; }
    void set_state(State state) { state_ = std::move(state); }
    void clear();
    /// Moves it by whole leaves: the origin of the particles went the other way.
    void shift(Vec3i leaves);

    /// Leaves with cells of it.
    std::vector<Vec3i> coords() const;
    /// Finds which cells of a grid it is in, those without particles of their own. `held` are positions, in cells, of
    /// particles on their way out of nozzles.
    void join(MacGrid& grid, const Cells& cells, const Solids& solids, std::span<const Vec3f> held);
    void put(MacGrid& grid) const;
    /// Where it is after dt; velocities of the grid are those at the end of the step.
    void advance(const MacGrid& grid, float cell, float dt);
    /// Chooses particles for cells that are not deep any more; before particles move. `x` sorted, in metres.
    void plan(const MacGrid& grid, const Cells& cells, const Float4* x, float cell, float dt);
    /// Adds them, and takes particles out of deep cells; after particles moved, which have kept their order.
    void carry_out(ParticleStore& particles, const MacGrid& grid, const Cells& cells, const collision::Walls& walls,
                   float cell);

    /// Cells of a leaf, which need not be one of its own, that are part of it, and those around them.
    LeafMask cells_of(Vec3i leaf) const;
    LeafMask around(Vec3i leaf) const;
    /// Velocity in the middle of one of its cells.
    Vec3f velocity_of(std::size_t leaf, int cell) const;

  private:
    struct Seed {
        Vec3f x, v;  ///< m, m/s
        std::int32_t donor;
    };
    void find_depth(const MacGrid& grid, const Solids& solids, std::span<const Vec3f> held);
    void find_liquid(const MacGrid& grid, float step, std::vector<LeafMask>& liquid) const;
    void seed_leaf(const MacGrid& grid, const Cells& cells, std::size_t leaf, const Float4* x, float cell, float dt,
                   std::vector<Seed>& out) const;

    int band_;
    State state_;
    std::vector<std::vector<Seed>> seeds_;          ///< by leaf of the grid
    std::vector<LeafMask> deep_, deeper_, source_;  ///< by leaf of the grid of this step
};

}  // namespace spindrift::flip
