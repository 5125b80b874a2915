#pragma once
// Surface tension: the pressure that a curved surface has against the air.
//
// Source: Brackbill et al. 1992 (curvature of a smoothed share of liquid), Kang et al. 2000 (as the value of pressure
// at a ghost-fluid surface). Equations: p = sigma kappa at the surface, kappa = div n, n outwards. Differs: solids
// count neither as liquid nor as air in the smoothing, so that surfaces meet walls at right angles.
//
//   SurfaceTension tension;
//   tension.find(grid, solids, sigma * dt / (density * cell * cell));
//   pressure.project(grid, {..., .jump = &tension.jump()});

#include "spindrift/flip/mac.h"
#include "spindrift/grid/field.h"
#include "spindrift/mac/mac_grid.h"
#include "spindrift/mac/solids.h"

namespace spindrift::flip {

class SurfaceTension {
  public:
    /// `scale` makes a pressure, as a velocity, of a curvature per cell.
    void find(const MacGrid& grid, const Solids& solids, double scale);
    const grid::Field<float>& jump() const { return jump_; }

    /// The longest step (s) in which the shortest waves do not grow: they travel an eighth of a cell.
    static double longest_step(double tension, double density, double cell);

  private:
    void smooth(const MacGrid& grid, grid::Field<float>& field);

    grid::Field<float> share_{"tension"}, weight_{"tension"}, scratch_{"tension"}, jump_{"tension"};
    grid::AxisFields<float> normal_{"tension"};
};

}  // namespace spindrift::flip
