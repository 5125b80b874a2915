#pragma once
// The nearest point of a triangle, in double precision: slivers lose all digits of a float.
//
//   Vec3d weights = nearest_weights(p, a, b, c);   // of the corners

#include "spindrift/core/vec.h"

namespace spindrift::collision {

/// Source: Ericson, Real-Time Collision Detection, 5.1.5. Triangles without an area give the nearest point of a side.
inline Vec3d nearest_weights(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double t = d1 == d3 ? 0 : d1 / (d1 - d3);
        return {1 - t, t, 0};
    }
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double t = d2 == d6 ? 0 : d2 / (d2 - d6);
        return {1 - t, 0, t};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double along = (d4 - d3) + (d5 - d6), t = along == 0 ? 0 : (d4 - d3) / along;
        return {0, 1 - t, t};
    }
    const double inverse = 1 / (va + vb + vc);
    return {1 - (vb + vc) * inverse, vb * inverse, vc * inverse};
}

inline Vec3d nearest_point(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d w = nearest_weights(p, a, b, c);
    return a * w.x + b * w.y + c * w.z;
}

inline double squared_distance(Vec3f p, Vec3f a, Vec3f b, Vec3f c) {
    const Vec3d at = vec_cast<double>(p);
    const Vec3d offset = nearest_point(at, vec_cast<double>(a), vec_cast<double>(b), vec_cast<double>(c)) - at;
    return dot(offset, offset);
}

}  // namespace spindrift::collision
