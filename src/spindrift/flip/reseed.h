#pragma once
// Evens out particles deep in the liquid: cells that run empty get some, crowded ones lose as many.
//
// As many are born as are taken, so the liquid keeps its mass and, with it, its volume. A new particle is a copy of one
// beside it, with all its channels and an id of its own; what that has more of a component than the one that was taken
// is missing in the cell of the latter from then on, so that totals stay. What is planned before particles move is
// carried out after.
//
//   Reseeding reseeding;
//   reseeding.plan(grid, cells, surface, solids, sorted, x);
//   ... particles move ...
//   std::size_t moved = reseeding.carry_out(particles, walls);

#include <cstdint>
#include <vector>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/flip/mac.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/liquid_surface.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/particles/particle_store.h"

namespace spindrift::flip {

class Reseeding {
  public:
    /// `x` sorted, in metres.
    void plan(const MacGrid& grid, const Cells& cells, const LiquidSurface& surface, const Solids& solids,
              const neighbors::LeafGrid& sorted, const Float4* x);
    /// Returns how many were born, which is how many were taken. Walls are in cells, `cell` metres wide.
    std::size_t carry_out(ParticleStore& particles, const collision::Walls& walls, float cell,
                          const fluid::Mixture& mixture = {});
    void clear();

  private:
    struct Birth {
        std::uint32_t donor;  ///< index in the order of the sort
        Vec3f offset;         ///< m from the donor
        int count;            ///< particles that the cell has: fewest first
    };
    struct Death {
        std::uint32_t particle;
        int count;            ///< most first
        std::uint32_t first;  ///< of the particles in its cell
    };
    struct Move {
        Birth birth;
        Death death;
    };
    struct LeafPlan {
        std::vector<Birth> births{};
        std::vector<Death> deaths{};
    };
    void plan_leaf(const Cells& cells, const LeafMask& deep, const float* share, std::size_t leaf,
                   const neighbors::LeafGrid& sorted, const Float4* x, LeafPlan& out) const;

    template <class IsFree>
    std::vector<Move> match(const ParticleStore& particles, const fluid::Mixture& mixture, const IsFree& is_free) const;
    static void keep_totals(ParticleStore& particles, const Death& death, std::size_t child,
                            const fluid::Mixture& mixture);

    std::vector<LeafPlan> leaves_;
    std::vector<Birth> births_;
    std::vector<Death> deaths_;
};

}  // namespace spindrift::flip
