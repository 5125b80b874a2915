#pragma once
// Symmetric matrices of three rows: masses and compliances that differ between directions.
//
//   Symmetric3 inverse = invert({2, 0, 0, 2, 0, 2});         // half of the unit matrix
//   Vec3d velocity = inverse * Vec3d{0, 1, 0};

#include <algorithm>

#include "spindrift/core/vec.h"

namespace spindrift::constraints {

struct Symmetric3 {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    double trace() const { return xx + yy + zz; }
    /// On the diagonal.
    double largest() const { return std::max(xx, std::max(yy, zz)); }
    Vec3d operator*(Vec3d v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    Symmetric3& operator+=(const Symmetric3& b) {
        xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
        return *this;
    }
    Symmetric3 operator*(double s) const { return {xx * s, xy * s, xz * s, yy * s, yz * s, zz * s}; }
};

/// s times the unit matrix.
inline Symmetric3 diagonal(double s) {
    return {s, 0, 0, s, 0, s};
}

/// s along a unit vector, nothing across it.
inline Symmetric3 along(Vec3d n, double s) {
    return {n.x * n.x * s, n.x * n.y * s, n.x * n.z * s, n.y * n.y * s, n.y * n.z * s, n.z * n.z * s};
}

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

}  // namespace spindrift::constraints
