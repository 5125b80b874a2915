#include "spindrift/geometry/finish/normals.h"

#include <algorithm>
#include <cmath>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::geometry {

namespace {

Vec3f normal_at(const Mesh& mesh, const Fans& fans, std::size_t i) {
    const Vec3f p = mesh.points[i];
    Vec3f sum{};
    for (const Wedge& wedge : fans.at(i)) {
        const Vec3f a = mesh.points[wedge.next] - p, b = mesh.points[wedge.previous] - p;
        const float lengths = dot(a, a) * dot(b, b);
        if (lengths > 0) sum += cross(a, b) / lengths;
    }
    const float size = length(sum);
    return size > 0 && std::isfinite(size) ? sum / size : Vec3f{0, 1, 0};
}

}  // namespace

void add_normals(Mesh& mesh, const Fans& fans) {
    SPINDRIFT_CHECK(fans.points() == mesh.points.size());
    std::erase_if(mesh.attributes, [](const Attribute& each) { return each.name == "N"; });
    Attribute normals{"N", 3, std::vector<float>(3 * mesh.points.size())};
    parallel_for(mesh.points.size(), [&](Range range) {
        for (const std::size_t i : range) {
            const Vec3f n = normal_at(mesh, fans, i);
            for (int axis = 0; axis < 3; ++axis)
                normals.values[3 * i + static_cast<std::size_t>(axis)] = n[axis];
        }
    });
    mesh.attributes.insert(mesh.attributes.begin(), std::move(normals));
}

void add_normals(Mesh& mesh) {
    add_normals(mesh, make_fans(mesh.triangles, mesh.points.size()));
}

}  // namespace spindrift::geometry
