#pragma once
// The pressures that viscosity is told of before the last one is found, and the way back from them.
//
// Viscosity does not know of the pressure behind it, whose part of the flow slips along bodies: they would feel too
// little. So the pressure is found before, and viscosity once more with it.
// Source: Uzawa's iteration for Stokes flow, with a longer first step; docs/decisions/0020.
//
//   Foresight foresight;
//   foresight.begin(grid);                 // resist, then for each pass:
//   foresight.note_slowed(grid);           // project
//   foresight.go_back(grid, share);        // resist once more
//   foresight.add_to(grid);                // after the last projection

#include "spindrift/flip/mac.h"
#include "spindrift/mac/mac_grid.h"

namespace spindrift::flip {

class Foresight {
  public:
    /// Keeps the velocities before viscosity.
    void begin(const MacGrid& grid);
    /// No pressure was found so far.
    void clear(const MacGrid& grid);
    /// Keeps the velocities after viscosity, before pressure.
    void note_slowed(const MacGrid& grid);
    /// From the velocities after pressure to those before viscosity, with a multiple of that pressure.
    void go_back(MacGrid& grid, double share);
    /// Adds what was foreseen to the grid's pressure.
    void add_to(MacGrid& grid) const;

  private:
    grid::AxisFields<float> start_{"viscosity"}, slowed_{"viscosity"};
    grid::Field<float> pressure_{"viscosity"};
};

}  // namespace spindrift::flip
