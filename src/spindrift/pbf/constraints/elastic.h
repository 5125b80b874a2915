#pragma once
// What the constraints of elastic materials share.
//
// Source: Macklin, Mueller and Chentanez 2016 (XPBD), eqs. 17 and 18; Macklin et al. 2019 (small steps).
// Equations: (J W J^T + a) dl = -(C + a l),  dx = W J^T dl,  a = compliance / dt^2.
// Differs: over the points of a body the multipliers of a step begin with the forces that the material has where the
// step begins, l = -C / a, and points move by them at once. One pass then corrects only what changes in the step, and a
// body at rest is in exact balance whatever the steps and passes are. A material that is stiffer than a pass can
// follow is softened as far as it must.
// Symbols: C strains, J their derivatives by the points, W inverse masses, l multipliers.
//
//   double a = follow(compliance / (dt * dt), weight);
//   Symmetric3 inverse = invert({2, 0, 0, 2, 0, 2});         // half of the unit matrix

#include <algorithm>

#include "spindrift/core/vec.h"

namespace spindrift::pbf {

/// The largest J W J^T / a that one pass in a step can follow.
inline constexpr double most_stiffness = 1;

/// The compliance over dt^2 of a constraint, softened if it is stiffer than a pass can follow.
inline double follow(double a, double weight) {
    return std::max(a, weight / most_stiffness);
}

struct Symmetric3 {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    double trace() const { return xx + yy + zz; }
    Vec3d operator*(Vec3d v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
};

/// Of a positive definite matrix.
inline Symmetric3 invert(const Symmetric3& m) {
    const double a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
    const double s = 1 / (m.xx * a + m.xy * b + m.xz * c);
    return {a * s,
            b * s,
            c * s,
            (m.xx * m.zz - m.xz * m.xz) * s,
            (m.xy * m.xz - m.xx * m.yz) * s,
            (m.xx * m.yy - m.xy * m.xy) * s};
}

}  // namespace spindrift::pbf
