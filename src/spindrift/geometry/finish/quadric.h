#pragma once
// Sums of squared distances to planes, as a function of the place.
//
// Source: Garland and Heckbert 1997, "Surface simplification using quadric error metrics".
// Equations: Q(v) = v^T A v + 2 b^T v + c (section 3.4), smallest where A v = -b (section 4).
// Differs: where planes are too alike for that, the place is the nearest to a given one.
//
//   Quadric q = plane_quadric({0, 1, 0}, -2.0, 1.0);      // the plane y = 2
//   double nine = q.at({7, 5, 7});

#include <cmath>

#include "spindrift/core/vec.h"

namespace spindrift::geometry {

struct Quadric {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    Vec3d b{};
    double c = 0;

    Quadric& operator+=(const Quadric& o) {
        xx += o.xx;
        xy += o.xy;
        xz += o.xz;
        yy += o.yy;
        yz += o.yz;
        zz += o.zz;
        b += o.b;
        c += o.c;
        return *this;
    }
    friend Quadric operator+(Quadric a, const Quadric& o) { return a += o; }

    Vec3d times(Vec3d v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    double at(Vec3d v) const { return dot(v, times(v)) + 2 * dot(b, v) + c; }

    /// Where it is smallest; along directions it does not change in, as near to `wish` as can be.
    Vec3d smallest_near(Vec3d wish) const;
};

/// The plane n . v + offset = 0, n of length 1.
inline Quadric plane_quadric(Vec3d n, double offset, double weight) {
    Quadric q;
    q.xx = weight * n.x * n.x;
    q.xy = weight * n.x * n.y;
    q.xz = weight * n.x * n.z;
    q.yy = weight * n.y * n.y;
    q.yz = weight * n.y * n.z;
    q.zz = weight * n.z * n.z;
    q.b = n * (weight * offset);
    q.c = weight * offset * offset;
    return q;
}

inline Vec3d Quadric::smallest_near(Vec3d wish) const {
    // A little of the unit matrix makes it solvable and holds what no plane holds; solved for the step from `wish`.
    const double hold = 1e-6 * (xx + yy + zz);
    if (!(hold > 0)) return wish;
    const Vec3d r0{xx + hold, xy, xz}, r1{xy, yy + hold, yz}, r2{xz, yz, zz + hold};
    const Vec3d right = -(times(wish) + b);
    const Vec3d c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const double determinant = dot(r0, c0);
    if (!(determinant > 0)) return wish;
    return wish + (c0 * right.x + c1 * right.y + c2 * right.z) / determinant;
}

}  // namespace spindrift::geometry
