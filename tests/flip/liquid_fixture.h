#pragma once
// Blocks and balls of particles, and walls, for the tests of solvers on a grid.
//
//   ParticleStore particles;
//   add_liquid(particles, {{0, 0, 0}, {0.4, 0.2, 0.4}});
//   solver.step(particles, gravity(), box_walls({1, 1, 1}), 0.01);

#include <functional>
#include <string>

#include "spindrift/core/hash.h"
#include "spindrift/flip/step.h"

namespace spindrift::flip {

/// Cells are 0.04 m wide.
inline constexpr double spacing = 0.02, cell = 2 * spacing;
inline constexpr fluid::Liquid water{.spacing = spacing, .density = 1000};
inline constexpr double g = 9.81;

/// A lattice in a box, of the places that a condition holds for.
inline void add_liquid(
    ParticleStore& particles, const Box3d& box, const std::function<bool(Vec3d)>& inside = [](Vec3d) { return true; }) {
    std::vector<Vec3d> all;
    for (double z = box.lo.z + spacing / 2; z < box.hi.z; z += spacing) {
        for (double y = box.lo.y + spacing / 2; y < box.hi.y; y += spacing) {
            for (double x = box.lo.x + spacing / 2; x < box.hi.x; x += spacing) {
                if (inside({x, y, z})) all.push_back({x, y, z});
            }
        }
    }
    const std::size_t first = particles.append(all.size()).first;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Vec3f x = vec_cast<float>(all[i]);
        particles.position()[first + i] = {x.x, x.y, x.z, 0};
    }
}

inline void add_ball(ParticleStore& particles, Vec3d center, double radius) {
    const Vec3d r{radius, radius, radius};
    add_liquid(particles, {center - r, center + r}, [=](Vec3d x) { return length(x - center) < radius; });
}

inline void set_velocity(ParticleStore& particles, const std::function<Vec3d(Vec3d)>& velocity) {
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3f v = vec_cast<float>(velocity(vec_cast<double>(particles.position()[i].xyz())));
        Float4& own = particles.velocity()[i];
        own = {v.x, v.y, v.z, own.w};
    }
}

inline collision::Walls box_walls(const Box3d& box) {
    collision::DomainParams domain;
    domain.box = {box.lo, box.hi};
    return collision::make_walls(domain, {}, {}, water.support_radius());
}

inline forces::ForceSet gravity(Vec3f acceleration = {0, static_cast<float>(-g), 0}) {
    forces::ForceSet forces;
    forces.gravity = acceleration;
    return forces;
}

inline double fastest(const ParticleStore& particles) {
    double most = 0;
    for (const Float4& v : particles.velocity())
        most = std::max(most, static_cast<double>(length(v.xyz())));
    return most;
}

inline std::string state_hash(const ParticleStore& particles) {
    return Hash64().add(particles.position()).add(particles.velocity()).hex();
}

}  // namespace spindrift::flip
