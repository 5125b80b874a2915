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

}  // namespace spindrift::geometry
