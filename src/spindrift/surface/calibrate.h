#pragma once
// The level at which a function's surface lies where it should: over a half-space of particles on a lattice, `offset`
// outside of the outermost centres.
//
// R of methods that measure a distance to a centre depends on the function and its reach, and means nothing to an
// artist; the offset is what they see. Measured against volumes of breaking dams: decision 0012.
//
//   double R = flat_level(Function::zhu_bridson, 2.8, 0.5).value;     // in spacings

#include <algorithm>
#include <array>

#include "spindrift/surface/params.h"

namespace spindrift::surface {

/// Decay of the surface's distance where particles thin out: g(w) of Eq. 5, Onderik 2014, with the ends held.
template <class T>
constexpr T decay(T w) {
    constexpr T w_min = 0, w_max = T(1.1);
    const T s = (std::clamp(w, w_min, w_max) - w_max) / (w_max - w_min), a = 1 - s * s;
    return a * a;
}

struct FlatLevel {
    /// Radius R of normalized and zhu_bridson in spacings, or the sum of kernels at the surface.
    double value = 0;
    /// How much the sum of kernels falls per spacing outwards at the surface; 1 for those that measure a distance.
    double slope = 1;
};

/// Reach and offset in spacings.
FlatLevel flat_level(Function function, double reach, double offset);

/// Weight of a shaped kernel against a ball's of this reach, both in units: the smaller, the heavier.
float shape_weight(const std::array<float, 6>& g, float reach);

/// Sum of the kernel (1 - r^2)^3, or its square, over a lattice of particles around one of them; reach in spacings.
double lattice_sum(double reach, bool sharp);

}  // namespace spindrift::surface
