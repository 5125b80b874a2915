#pragma once
// Makes the velocities of a step free of divergence.
//
// Source: Bridson 2015, chapter 5; the surface by ghost values (Enright et al. 2003), solids by shares of faces (Batty
// et al. 2007), bodies by their answer within the solve (there, section 5). Where particles are too many or too few
// around a cell deep in the liquid, it gets a divergence that evens them out: volume does not drift
// (docs/decisions/0019).
//
//   Pressure pressure;
//   SolveReport report = pressure.project(grid, {...});      // changes grid.velocity, sets grid.pressure and
//   grid.layer

#include <vector>

#include "spindrift/fluid/coupling.h"
#include "spindrift/grid/conjugate_gradients.h"
#include "spindrift/mac/cells.h"
#include "spindrift/mac/inflow.h"
#include "spindrift/mac/liquid_surface.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/pressed_bodies.h"
#include "spindrift/mac/solids.h"

namespace spindrift::mac {

class Pressure {
  public:
    struct Step {
        const Cells* cells;
        const Solids* solids;
        const LiquidSurface* surface;
        double cell = 1;     ///< m
        double dt = 0;       ///< s
        double density = 0;  ///< kg/m3, of the densest liquid
        double gravity = 0;  ///< m/s2
        double tolerance = 1e-4;
        fluid::Coupling* coupling = nullptr;
        std::span<const CellInflow> inflow{};      ///< of nozzles under water
        const grid::Field<float>* jump = nullptr;  ///< pressure at the surface, as a velocity; nullptr for none
        const grid::AxisFields<float>* lightness = nullptr;  ///< density over that of each face; nullptr if all are 1
    };
    grid::SolveReport project(MacGrid& grid, const Step& step);

    /// What pressure gave each body in the last step.
    const std::vector<fluid::Twist>& impulses() const { return bodies_.impulses(); }
    /// Speed across their surface of walls that push liquid and that no body is, m/s.
    float fastest_push() const { return fastest_push_; }
    /// The same of bodies.
    float fastest_body() const { return fastest_body_; }
    /// Gives closed faces that liquid left in the last step its velocity again.
    void release(MacGrid& grid) const;

  private:
    static float scale_of(const Step& step, float speed);
    void set_target(const MacGrid& grid, const Step& step);
    void add_walls(const MacGrid& grid, const Step& step);
    void add_displaced(const MacGrid& grid, const Step& step);
    grid::SolveReport solve(MacGrid& grid, const Step& step);
    PressurePass pass_over(MacGrid& grid, const Step& step);
    static bool is_thin(const MacGrid& grid, const Step& step, std::size_t leaf, int cell);
    bool leaves(const MacGrid& grid, const Step& step, std::size_t leaf, const WallFace& face) const;
    static bool answers(const Step& step, int body);
    void find_flows(const MacGrid& grid, const Step& step);

    grid::Stencil stencil_{"pressure"};
    grid::Field<float> rhs_{"pressure"}, target_{"pressure"};
    grid::PoissonSolver solver_;
    PressedBodies bodies_;
    struct LeftFace {
        std::size_t leaf;
        int cell, axis;
        float speed;
    };
    std::vector<LeftFace> left_;
    /// What comes through a wall's face into the cell above it.
    struct WallFlow {
        std::size_t leaf;
        const WallFace* face;
        float speed;
        bool left;
    };
    std::vector<std::vector<WallFlow>> flows_;  ///< by chunks of leaves
    float fastest_push_ = 0, fastest_body_ = 0;
};

}  // namespace spindrift::mac
