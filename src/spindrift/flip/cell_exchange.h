#pragma once
// What particles on a grid are mixed of spreads and sinks from cell to cell.
//
// Source: as pbf/mixing_kernels.cpp and pbf/settling_kernels.cpp; docs/decisions/0030.
// Equations: neighbouring cells exchange the volume g = D dt A / h, every particle of cell a takes
//   C <- C (1 - sum g / (n_a V)) + sum_b g / (n_a V) mean C_b; and between an upper cell and a lower one each pair of
//   components with s_a > s_b swaps Q = dt A |g_axis| (s_a - s_b) mean C_a,upper mean C_b,lower.
// Differs: particles of a solver on a grid clump, so pairs would give a tenth less and be noisy; cells do not mind.
// Symbols: A open area of a face, h its width, n_a particles of a cell, V their volume, s slip against the carrier.
//
//   CellExchange exchange(mixture);
//   exchange.advance(particles, {.grid = grid, .cells = cells, .gravity = g, .cell = 0.02, .dt = dt});

#include <array>
#include <span>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/fluid/concentrations.h"
#include "spindrift/fluid/mixture.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/mac_grid.h"

namespace spindrift::flip {

class CellExchange {
  public:
    struct Input {
        const mac::MacGrid& grid;
        const mac::Cells& cells;
        Vec3f gravity{};  ///< m/s2
        double cell = 1;  ///< m
        double dt = 0;    ///< s
    };

    explicit CellExchange(fluid::Mixture mixture) : mixture_(std::move(mixture)) {}

    const fluid::Mixture& mixture() const { return mixture_; }
    /// Changes the channels of the components. Small amounts wait until floats can tell them.
    void advance(ParticleStore& particles, const Input& input);
    void set_settling_speeds(std::span<const double> speeds);

    double due = 0;           ///< s that nothing has spread for yet
    double settling_due = 0;  ///< s that nothing has sunk for yet

  private:
    using Numbers = std::array<float, fluid::most_components>;

    /// What a cell has of each component.
    struct Content {
        float count = 0;  ///< particles
        Numbers mean{};   ///< of their shares
        Numbers roomy{};  ///< mean of shares times the room that their particles have
        Numbers slip{};   ///< m/s along gravity
    };
    /// What a swap takes of one component and brings of another, in particles: those that fill a bed go where there is
    /// room.
    struct Swaps {
        std::array<Numbers, fluid::most_components> plain{}, filling{};
    };
    /// In units of cells: D dt / h^2 and w dt / h.
    void spread(const Input& input, double share);
    void settle(const Input& input, double sunk);
    void find_contents(const Input& input);
    void find_slips(Content& content) const;
    void spread_in_leaf(const Input& input, std::size_t leaf, float volume);
    void settle_in_leaf(const Input& input, std::size_t leaf, Vec3f way);
    void swap_between(const Content& upper, const Content& lower, float volume, bool is_upper, Swaps& swaps) const;
    void swap_in_cell(Range particles, const Content& content, const Swaps& swaps);
    float room_of(std::size_t particle) const;
    /// Calls f(particle) for those of a cell that exchange something: nozzles hold the others.
    template <class F>
    void for_free(Range particles, const F& f) const {
        for (const std::size_t i : particles) {
            if (!particles_->is_held(i)) f(i);
        }
    }
    std::size_t size() const { return mixture_.components.size(); }

    fluid::Mixture mixture_;
    fluid::Concentrations shares_;
    const ParticleStore* particles_ = nullptr;  ///< of this step
    grid::Field<Content> contents_{"mixture"};
    Numbers alone_{}, filling_{};  ///< of each component: speed of a grain alone, one over the largest share
    int fillers_ = 0;              ///< components that sink or rise
    int faces_ = 0;                ///< of a cell that something sinks through
};

}  // namespace spindrift::flip
