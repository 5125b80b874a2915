#include "spindrift/geometry/mesh.h"

namespace spindrift::geometry {

Box3d bounds(const Mesh& mesh) {
    if (mesh.points.empty()) return {};
    Vec3f lo = mesh.points[0], hi = lo;
    for (const Vec3f p : mesh.points) {
        lo = min(lo, p);
        hi = max(hi, p);
    }
    return {vec_cast<double>(lo), vec_cast<double>(hi)};
}

// Source: Ericson, Real-Time Collision Detection, 5.1.5: the regions of a triangle's corners, edges and face.
Vec3f closest_on_triangle(Vec3f p, Vec3f a, Vec3f b, Vec3f c) {
    const Vec3f ab = b - a, ac = c - a, ap = p - a;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3f bp = p - b;
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const float t = d1 == d3 ? 0 : d1 / (d1 - d3);
        return {1 - t, t, 0};
    }
    const Vec3f cp = p - c;
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const float t = d2 == d6 ? 0 : d2 / (d2 - d6);
        return {1 - t, 0, t};
    }
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float along = (d4 - d3) + (d5 - d6), t = along == 0 ? 0 : (d4 - d3) / along;
        return {0, 1 - t, t};
    }
    const float inverse = 1 / (va + vb + vc);
    return {1 - (vb + vc) * inverse, vb * inverse, vc * inverse};
}

}  // namespace spindrift::geometry
