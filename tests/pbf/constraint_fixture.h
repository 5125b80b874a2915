#pragma once
// Small sets of particles for the tests of constraints.
//
//   ParticleStore particles;
//   std::vector<constraints::DistanceLink> links = add_rope(particles, 12, {0, 1, 0});

#include <memory>
#include <vector>

#include "spindrift/constraints/distance.h"
#include "spindrift/constraints/pin.h"
#include "spindrift/pbf/step.h"

namespace spindrift::pbf {

inline constexpr double spacing = 0.02, dt = 0.005;
inline constexpr Liquid water{.spacing = spacing, .density = 1000, .viscosity = 1e-6};

/// A float has 24 bits: coordinates of the tests, below a metre, are this exact.
inline constexpr double rounding = 1e-7;

inline void add_particle(ParticleStore& particles, Vec3d at) {
    const std::size_t i = particles.append(1).first;
    const Vec3f x = vec_cast<float>(at - particles.origin);
    particles.position()[i] = {x.x, x.y, x.z, 0};
}

inline void add_block(ParticleStore& particles, int n) {
    for (int k = 0; k < n * n * n; ++k)
        add_particle(particles, Vec3d{k % n + 0.5, k / n % n + 0.5, k / (n * n) + 0.5} * spacing);
}

/// A horizontal row along x with links between neighbours.
inline std::vector<constraints::DistanceLink> add_rope(ParticleStore& particles, int count, Vec3d at) {
    std::vector<constraints::DistanceLink> links;
    for (int k = 0; k < count; ++k) {
        if (k > 0) links.push_back({particles.next_id - 1, particles.next_id, spacing});
        add_particle(particles, at + Vec3d{k * spacing, 0, 0});
    }
    return links;
}

inline collision::Walls box_walls(double width) {
    collision::DomainParams domain;
    domain.box = {{0, 0, 0}, {width, width, width}};
    return collision::make_walls(domain, {}, {}, water.support_radius());
}

inline forces::ForceSet gravity() {
    forces::ForceSet forces;
    forces.gravity = {0, -9.81f, 0};
    return forces;
}

inline std::size_t index_of(const ParticleStore& particles, std::int64_t id) {
    constraints::ParticleIndex index;
    index.build(particles);
    return index.find(id).value();
}

inline Vec3d position_of(const ParticleStore& particles, std::int64_t id) {
    return vec_cast<double>(particles.position()[index_of(particles, id)].xyz()) + particles.origin;
}

inline Vec3f velocity_of(const ParticleStore& particles, std::int64_t id) {
    return particles.velocity()[index_of(particles, id)].xyz();
}

inline std::shared_ptr<constraints::PinConstraint> pin(std::int64_t id, Vec3d point, double stiffness = 1) {
    return std::make_shared<constraints::PinConstraint>(std::vector<constraints::Pin>{{.id = id, .point = point}},
                                                        stiffness);
}

}  // namespace spindrift::pbf
