#pragma once
// The liquids of a scene as every solver takes them.
//
//   std::vector<fluid::Liquid> liquids = {{.spacing = 0.01, .density = 998, .viscosity = 1e-6}};
//   double unit = fluid::largest_support(liquids);           // metres in the unit of length of walls and bodies

#include <cstddef>
#include <vector>

#include "spindrift/particles/channel_table.h"

namespace spindrift::fluid {

/// Support radius in particle spacings: the unit of length that walls and bodies are placed in. For position based
/// fluids it is how far a particle sees, for solvers on a grid the width of a cell.
inline constexpr double support_ratio = 2.0;

/// Channel with the index of a particle's liquid (u16); a store without it holds one liquid.
inline constexpr const char* phase_channel = channel_names::phase;

/// Largest number of liquids: their index fits a byte in loops.
inline constexpr std::size_t most_liquids = 255;

struct Liquid {
    double spacing;        ///< m
    double density;        ///< kg/m3
    double viscosity = 0;  ///< m2/s
    /// Surface tension of position based fluids: the attraction f and the tensile stiffness g, as shares of the rest
    /// density, and the time in which they act (s); see docs/decisions/0008.
    double attraction = 0, tensile = 0, tension_time = 1;
    double surface_tension = 0;  ///< N/m, for solvers that take it in real units

    double support_radius() const { return support_ratio * spacing; }
    double particle_volume() const { return spacing * spacing * spacing; }
    double particle_mass() const { return density * particle_volume(); }
    bool has_tension() const { return attraction > 0 || tensile > 0; }
};

/// m; of at least one liquid.
double finest_spacing(const std::vector<Liquid>& liquids);
double largest_support(const std::vector<Liquid>& liquids);

}  // namespace spindrift::fluid
