#pragma once
// Constants of a liquid at rest, summed over a filled cubic lattice of spacing d with support radius h = 2 d.
//
// Source: Alduan et al. 2017, Eq. 4 and 5 (regularised stiffness from a prototype neighbourhood).
// Equations: C_i = V sum_j W_ij - 1 with poly6 W, gradients with the spiky kernel (Mueller et al. 2003).
// Differs: V is calibrated so that C = 0 on the lattice exactly; beta follows from the lattice's stiffest mode.
// Symbols: lengths in units of h.

#include "spindrift/fluid/liquid.h"

namespace spindrift::pbf {

using fluid::support_ratio;

struct Prototype {
    double density_scale;   ///< factor of sum (1 - r^2)^3 in C + 1
    double gradient_scale;  ///< factor of (1 - r)^2 in |V grad W|
    double gradient_sum;    ///< S = sum_j |V grad W_ij|^2
    double stiffest_mode;   ///< largest eigenvalue of one undamped Jacobi iteration on the lattice
    double relaxation;      ///< beta
    double curl_scale;      ///< factor of (1 - r)^2 in the curl, exact for a rotating lattice
    int neighbors;          ///< without the particle itself
};

const Prototype& prototype();

}  // namespace spindrift::pbf
