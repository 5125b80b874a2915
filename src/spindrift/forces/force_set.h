#pragma once
// Gravity and other forces acting on velocities, as they are at one moment.
//
//   ForceSet forces = make_forces(scene.gravity, scene.force, particles.origin, {.frame = 12.5, .seconds = 0.48});
//   forces.apply({.x = x, .v = v, .count = n, .dt = dt, .particles = &particles});
//   v = forces.accelerate(x, v, dt);      // at a place where no particle is

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/forces/force.h"
#include "spindrift/forces/params.h"

namespace spindrift::forces {

struct ForceSet {
    Vec3f gravity{};
    std::vector<std::shared_ptr<const Force>> fields;  ///< those besides gravity, in the order in which they act

    void apply(const Pushed& on) const;
    /// The same without gravity.
    void apply_fields(const Pushed& on) const;
    /// Velocity after dt at position x (metres from the origin).
    Vec3f accelerate(Vec3f x, Vec3f v, float dt) const;

    /// Upper bound of the acceleration anywhere, of drag that of a particle at rest: what the automatic substeps look
    /// at.
    float largest_acceleration() const;
};

/// A time, as keys and as fields that change by themselves count it.
struct Moment {
    double frame = 0;
    double seconds = 0;  ///< since the first frame
};

/// Without the fields that are not active at the moment. `liquids` are the names that ForceParams::liquid is one of.
ForceSet make_forces(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields, Vec3d origin, Moment now = {},
                     std::span<const std::string> liquids = {});

/// Whether make_forces() gives different forces at different moments.
bool forces_change(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields);

}  // namespace spindrift::forces
