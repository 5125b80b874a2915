#pragma once
// Eigenvalues and axes of symmetric 3 x 3 matrices.
//
// Source: Golub and Van Loan, Matrix Computations, 8.5 (cyclic Jacobi). It is exact to rounding for repeated
// eigenvalues too, where closed formulas lose half of the digits; sheets and strings of particles are such cases.
//
//   Eigen3 e = eigen_of({3, 0, 0, 2, 0, 1});   // e.value == {3, 2, 1}, e.axis[2] == {0, 0, 1} or its opposite

#include <array>

#include "spindrift/core/vec.h"

namespace spindrift {

/// xx, xy, xz, yy, yz, zz.
using Symmetric3 = std::array<double, 6>;

struct Eigen3 {
    std::array<double, 3> value;  ///< largest first
    std::array<Vec3d, 3> axis;    ///< of length 1, at right angles, right-handed
};

Eigen3 eigen_of(const Symmetric3& m);

}  // namespace spindrift
