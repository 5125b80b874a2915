#include "spindrift/bodies/rigid/mass_properties.h"

#include <cmath>

#include "spindrift/core/eigen.h"

namespace spindrift::bodies {

namespace {

/// Sums over tetrahedra between the triangles and a point; products xx, yy, zz, xy, yz, zx.
struct Sums {
    double volume = 0;
    Vec3d first{};
    double second[3][3]{};
};

/// The integral of x_i x_j over a tetrahedron with a corner at the origin is det / 120 times the sum below.
void add(Sums& sums, Vec3d a, Vec3d b, Vec3d c) {
    const double det = dot(a, cross(b, c));
    const Vec3d sum = a + b + c;
    sums.volume += det / 6;
    sums.first += sum * (det / 24);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            sums.second[i][j] += det / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
}

}  // namespace

MassProperties integrate(const geometry::Mesh& mesh) {
    // About the middle of the mesh, so that one far from its origin loses no digits.
    const Vec3d middle = geometry::bounds(mesh).center();
    Sums sums;
    for (const auto& [a, b, c] : mesh.triangles) {
        add(sums, vec_cast<double>(mesh.points[a]) - middle, vec_cast<double>(mesh.points[b]) - middle,
            vec_cast<double>(mesh.points[c]) - middle);
    }
    MassProperties body;
    body.mass = body.volume = sums.volume;
    const Vec3d center = sums.volume == 0 ? Vec3d{} : sums.first / sums.volume;
    body.center = middle + center;
    double trace = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            sums.second[i][j] -= sums.volume * center[i] * center[j];
        trace += sums.second[i][i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            body.inertia[i][j] = (i == j ? trace : 0) - sums.second[i][j];
    }
    return body;
}

void set_mass(MassProperties& body, double mass) {
    const double factor = mass / body.mass;
    body.mass = mass;
    for (auto& row : body.inertia) {
        for (double& entry : row)
            entry *= factor;
    }
}

bool encloses(const geometry::Mesh& mesh) {
    Vec3d open{};
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = vec_cast<double>(mesh.points[a]);
        const Vec3d face = cross(vec_cast<double>(mesh.points[b]) - p, vec_cast<double>(mesh.points[c]) - p);
        open += face;
        area += length(face);
    }
    // The faces of a closed mesh add up to nothing; a crate without a lid misses a sixth.
    if (area == 0 || length(open) > 0.02 * area) return false;
    const Vec3d size = geometry::bounds(mesh).size();
    const double volume = std::abs(integrate(mesh).volume), longest = std::max({size.x, size.y, size.z});
    return volume > 1e-4 * size.x * size.y * size.z && volume > 1e-6 * longest * longest * longest;
}

Inertia principal_axes(const MassProperties& body) {
    const auto& m = body.inertia;
    const double largest = std::max({m[0][0], m[1][1], m[2][2]});
    if (std::max({std::abs(m[0][1]), std::abs(m[0][2]), std::abs(m[1][2])}) < 1e-9 * largest)
        return about_axes(body, {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}});
    return about_axes(body, eigen_of({m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]}).axis);
}

Inertia about_axes(const MassProperties& body, const std::array<Vec3d, 3>& axes) {
    const auto& m = body.inertia;
    Inertia inertia;
    inertia.axis = axes;
    for (int k = 0; k < 3; ++k) {
        const Vec3d a = axes[static_cast<std::size_t>(k)];
        const Vec3d turned{m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z, m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
                           m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z};
        inertia.moment[k] = dot(a, turned);
    }
    return inertia;
}

}  // namespace spindrift::bodies
