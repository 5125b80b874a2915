#pragma once
// Gravity and force fields acting on velocities.
//
//   ForceSet forces = make_forces(scene.gravity, scene.force, particles.origin);
//   v = forces.accelerate(x, v, dt);      // x in world space, relative to the origin given to make_forces

#include <span>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/forces/params.h"

namespace spindrift::forces {

struct ForceSet {
    struct Field {
        ForceType type;
        Vec3f acceleration, position, axis, wind;
        float strength, radius, falloff, rate;
    };
    Vec3f gravity{};
    std::vector<Field> fields;

    /// Velocity after dt at position x (metres from the origin).
    Vec3f accelerate(Vec3f x, Vec3f v, float dt) const {
        v += gravity * dt;
        return fields.empty() ? v : apply_fields(x, v, dt);
    }

    /// Upper bound of the acceleration anywhere, without drag: what the automatic substeps look at.
    float largest_acceleration() const;

  private:
    Vec3f apply_fields(Vec3f x, Vec3f v, float dt) const;
};

ForceSet make_forces(Vec3d gravity, std::span<const ForceParams> fields, Vec3d origin);

}  // namespace spindrift::forces
