#pragma once
// Implicit viscosity with the whole stress: liquid turns, buckles and coils freely, and sticks to rough walls.
//
// Source: Batty and Bridson 2008; equations at the head of viscosity_kernels.cpp. The surface has no stress, since
// only what is liquid resists. Liquid sticks to walls with friction and slips along those without. Bodies answer to the
// stress within the solve (viscous_bodies.h). Solved by conjugate gradients, preconditioned by the diagonal, or by a
// Multigrid per component if viscosity reaches far (docs/decisions/0020).
//
//   Viscosity viscosity;                                     // keep it: its memory is used again
//   SolveReport report = viscosity.apply(grid, {.solids = &solids, .cell = cell, .dt = dt, .constant = 1e-3});
//
// The report's residual is the error's energy, as the preconditioner sees it, against that of the liquid and of the
// walls beside it, both as square roots: velocities are that near to the solution, whatever the viscosity is.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/flip/mac.h"
#include "spindrift/flip/viscosity/viscosity_kernels.h"
#include "spindrift/flip/viscosity/viscous_bodies.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/grid/conjugate_gradients.h"
#include "spindrift/grid/multigrid.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::flip {

class Viscosity {
  public:
    enum class Preconditioner { by_strength, diagonal, multigrid };
    struct Step {
        const Solids* solids = nullptr;
        double cell = 1;  ///< m
        double dt = 0;    ///< s
        double tolerance = 1e-4;
        const grid::Field<float>* viscosity = nullptr;  ///< of cells, m2/s, negative where unknown (viscosity_field.h)
        double constant = 0;                            ///< m2/s, if there is no field
        Preconditioner preconditioner = Preconditioner::by_strength;
        int most_iterations = 400;
        const fluid::Coupling* coupling = nullptr;
        double density = 0;  ///< kg/m3, if there are bodies
    };
    /// Changes velocities of faces that liquid is around, and of those that walls hold. If the result is not finite
    /// nothing of the liquid's is changed.
    grid::SolveReport apply(MacGrid& grid, const Step& step);

    /// What stress gave each body in the last solve, N s: the velocities of their faces on the grid know it, the
    /// bodies do not yet. Empty if it pulls at none.
    std::span<const fluid::Twist> impulses() const;

    /// Largest nu dt / cell^2 of the last solve.
    double strength() const { return static_cast<double>(strength_); }
    /// Unknowns of the last solve.
    std::size_t unknowns() const;
    /// out = A in of the last solve, for tests; returns in . out.
    double multiply(const grid::AxisFields<float>& in, grid::AxisFields<float>& out);
    /// Zero where a face is no unknown of the last solve.
    void restrict_to_unknowns(grid::AxisFields<float>& faces) const;

  private:
    /// Weights of all places, the list of leaves with liquid, and the largest nu dt / cell^2.
    float find_shares(const MacGrid& grid, const Step& step);
    /// Gives faces of walls their velocities and weights their walls; returns the energy of those faces.
    double hold_walls(MacGrid& grid, const Solids& solids);
    double hold_faces(MacGrid& grid, const Solids& solids, std::size_t leaf);
    void find_unknowns(const grid::LeafSet& leaves);
    void clear(const grid::LeafSet& leaves);
    double energy(const grid::AxisFields<float>& velocity) const;
    /// r_ = V u* - A (u* + x_), and the bodies' part of it
    void set_residual(const grid::AxisFields<float>& velocity, bool with_x);
    /// z_ = about A^-1 r_ if there is a cycle for it; returns r_ . z_.
    double precondition();
    double cycle();
    void iterate(grid::SolveReport& report, double target, int most_iterations);
    double advance(double alpha);
    void turn(double beta);
    double force(const grid::AxisFields<float>& in, grid::AxisFields<float>& out, float inertia, float sign);
    ViscousView view() const;

    using Faces = grid::AxisFields<float>;
    const std::int32_t* neighbors_ = nullptr;
    const grid::LeafSet* leaves_ = nullptr;
    std::vector<std::int32_t> active_;  ///< leaves with liquid
    std::vector<std::int32_t> idle_;    ///< others, and leaf 0
    std::vector<float> strongest_;      ///< nu dt / cell^2 by leaf
    float strength_ = 0;
    bool multigrid_ = false;
    grid::Field<float> cell_{"viscosity"};
    Faces edge_{"viscosity"}, mass_{"viscosity"}, inverse_{"viscosity"}, kind_{"viscosity"};
    Faces normal_{"viscosity"}, shear_{"viscosity"};
    Faces x_{"viscosity"}, r_{"viscosity"}, z_{"viscosity"}, p_{"viscosity"}, q_{"viscosity"};
    std::array<grid::Stencil, 3> stencils_{grid::Stencil{"viscosity"}, grid::Stencil{"viscosity"},
                                           grid::Stencil{"viscosity"}};
    std::array<grid::Multigrid, 3> cycles_;
    ViscousBodies bodies_;
};

}  // namespace spindrift::flip
