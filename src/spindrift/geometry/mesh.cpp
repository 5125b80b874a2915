#include "spindrift/geometry/mesh.h"

#include <algorithm>

namespace spindrift::geometry {

const Attribute* Mesh::find(std::string_view name) const {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& each) { return each.name == name; });
    return found == attributes.end() ? nullptr : &*found;
}

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
