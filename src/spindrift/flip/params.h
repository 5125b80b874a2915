#pragma once
// Settings of the solvers that find pressure on a grid.
//
//   flip::FlipParams flip{.blend = 0.99, .cfl = 2};

#include <string>

#include "spindrift/params/info.h"

namespace spindrift::flip {

struct FlipParams {
    double blend = 0.97;
    double cfl = 4;
    double tolerance = 1e-4;
    int spray = 6;
    bool reseed = true;
    int narrow_band = 0;
    std::string viscosity_channel{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("blend", self.blend,
          {.text = "Share of FLIP against PIC for solver = \"flip\": 1 splashes most, less is calmer and thicker",
           .limits = between(0, 1),
           .reference = "Zhu and Bridson 2005"});
        v("cfl", self.cfl,
          {.text =
               "Farthest that liquid moves in a substep, in cells, which are two spacings wide; fewer substeps when "
               "larger",
           .limits = between(0.5, 5)});
        v("tolerance", self.tolerance,
          {.text = "Residual of the pressure, relative to that at the start, at which the solve of a substep stops",
           .limits = between(1e-8, 0.1)});
        v("spray", self.spray,
          {.text = "Particles in a neighbourhood of 27 cells, each two spacings wide, below which they fly as drops "
                   "without pressure; 0 keeps all on the grid",
           .limits = between(0, 64)});
        v("viscosity_channel", self.viscosity_channel,
          {.text = "Name of a [[channel]] with the kinematic viscosity of each particle in m^2/s, in place of its "
                   "liquid's; none if empty"});
        v("reseed", self.reseed,
          {.text = "Even out the number of particles where cells, two spacings wide, run empty or crowded"});
        v("narrow_band", self.narrow_band,
          {.text = "Cells, each two spacings wide, that keep their particles below surfaces and beside walls; what is "
                   "deeper is on the grid alone, which saves memory and disk. 0 keeps all particles, else 3 or more",
           .limits = between(0, 64),
           .reference = "Ferstl et al. 2016"});
    }
};

}  // namespace spindrift::flip
