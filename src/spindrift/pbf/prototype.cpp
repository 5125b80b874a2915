#include "spindrift/pbf/prototype.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::pbf {

namespace {

constexpr double pi = std::numbers::pi;

/// Lattice points within the support, without the centre, in units of h.
std::vector<Vec3d> lattice_neighbors() {
    const int reach = static_cast<int>(support_ratio);
    std::vector<Vec3d> points;
    for (int z = -reach; z <= reach; ++z) {
        for (int y = -reach; y <= reach; ++y) {
            for (int x = -reach; x <= reach; ++x) {
                const Vec3d p = Vec3d{double(x), double(y), double(z)} / support_ratio;
                if (const double r = length(p); r > 0 && r < 1) points.push_back(p);
            }
        }
    }
    return points;
}

/// Response of C to the corrections of a multiplier wave with wave vector k (radians per h), relative to S.
double mode_response(const std::vector<Vec3d>& neighbors, const Prototype& p, Vec3d k) {
    Vec3d density_gradient{}, correction{};
    for (Vec3d r : neighbors) {
        const double distance = length(r), phase = std::sin(dot(k, r));
        const double t = 1 - distance * distance;
        density_gradient += r * (p.density_scale * 6 * t * t * phase);
        correction += r / distance * (p.gradient_scale * (1 - distance) * (1 - distance) * phase);
    }
    return dot(density_gradient, correction) / p.gradient_sum;
}

Prototype sum_prototype() {
    const std::vector<Vec3d> neighbors = lattice_neighbors();
    Prototype p{};
    p.neighbors = static_cast<int>(neighbors.size());
    double sum = 1;
    for (Vec3d r : neighbors)
        sum += std::pow(1 - dot(r, r), 3);
    p.density_scale = 1 / sum;

    // Volume that makes the poly6 sum one, used for the spiky gradient too: 45 / pi (1 - r)^2.
    const double volume = p.density_scale / (315 / (64 * pi));
    p.gradient_scale = volume * 45 / pi;
    for (Vec3d r : neighbors)
        p.gradient_sum += std::pow(p.gradient_scale * std::pow(1 - length(r), 2), 2);

    // x/r cross (Omega cross x) is two thirds of Omega r over all directions, and the curl of a rotation is 2 Omega.
    double moment = 0;
    for (Vec3d r : neighbors)
        moment += std::pow(1 - length(r), 2) * length(r);
    p.curl_scale = 3 / moment;

    // The stiffest mode over the lattice's wave vectors, up to one wave per two spacings on each axis.
    constexpr int samples = 16;
    for (int z = 0; z <= samples; ++z) {
        for (int y = 0; y <= z; ++y) {
            for (int x = 0; x <= y; ++x) {
                const Vec3d k = Vec3d{double(x), double(y), double(z)} * (pi * support_ratio / samples);
                p.stiffest_mode = std::max(p.stiffest_mode, mode_response(neighbors, p, k));
            }
        }
    }

    // beta times the stiffest mode stays at 1.4, a third below where Jacobi overshoots; docs/decisions/0004.
    p.relaxation = 1.4 / p.stiffest_mode;
    return p;
}

}  // namespace

const Prototype& prototype() {
    static const Prototype p = sum_prototype();
    return p;
}

}  // namespace spindrift::pbf
