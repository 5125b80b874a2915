#include "spindrift/pbf/projection/free_momentum.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spindrift/core/exact_sum.h"

namespace spindrift::pbf {

namespace {

/// Solves a symmetric 3 x 3 system by Cramer's rule; zero if the matrix has no inverse.
Vec3d solve3(const Vec3d (&rows)[3], Vec3d b) {
    const double det = dot(rows[0], cross(rows[1], rows[2]));
    const double size = length(rows[0]) * length(rows[1]) * length(rows[2]);
    if (!(std::abs(det) > 1e-12 * size)) return {};
    // Of a symmetric matrix rows are columns.
    return Vec3d{dot(b, cross(rows[1], rows[2])), dot(rows[0], cross(b, rows[2])), dot(rows[0], cross(rows[1], b))} /
           det;
}

LeafChange sum_of(const std::vector<LeafChange>& changes) {
    const auto sums = exact_sums<16>(changes.size(), 256, [&](std::size_t leaf) {
        const auto& [p, turn, x, mass, xx] = changes[leaf];
        return std::array{p.x, p.y,  p.z,   turn.x, turn.y, turn.z, x.x,   x.y,
                          x.z, mass, xx[0], xx[1],  xx[2],  xx[3],  xx[4], xx[5]};
    });
    LeafChange total{{sums[0], sums[1], sums[2]}, {sums[3], sums[4], sums[5]}, {sums[6], sums[7], sums[8]}, sums[9]};
    std::copy(sums.begin() + 10, sums.end(), total.products);
    return total;
}

}  // namespace

void LeafChange::add(Vec3f at, Vec3f change, float mass_at) {
    const Vec3d x = vec_cast<double>(at), p = vec_cast<double>(change) * static_cast<double>(mass_at);
    const auto m = static_cast<double>(mass_at);
    momentum += p;
    angular += cross(x, p);
    weighted += x * m;
    mass += m;
    const double pairs[6] = {x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.y * x.z, x.z * x.x};
    for (int k = 0; k < 6; ++k)
        products[k] += m * pairs[k];
}

RigidMotion rigid_motion(const std::vector<LeafChange>& changes, const Momenta& of_bodies) {
    LeafChange total = sum_of(changes);
    if (total.mass == 0) return {};
    total.momentum += of_bodies.linear;
    total.angular += of_bodies.angular;
    const Vec3d middle = total.weighted / total.mass, velocity = total.momentum / total.mass;
    const auto about = [&](int k, double a, double b) { return total.products[k] - total.mass * a * b; };
    const double xx = about(0, middle.x, middle.x), yy = about(1, middle.y, middle.y),
                 zz = about(2, middle.z, middle.z), xy = about(3, middle.x, middle.y),
                 yz = about(4, middle.y, middle.z), zx = about(5, middle.z, middle.x);
    const Vec3d inertia[3] = {{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}};
    return {velocity, solve3(inertia, total.angular - cross(middle, total.momentum)), middle};
}

}  // namespace spindrift::pbf
