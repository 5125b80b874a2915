#pragma once
// Gravity and force fields acting on velocities, as they are at one moment.
//
//   ForceSet forces = make_forces(scene.gravity, scene.force, particles.origin, {.frame = 12.5, .seconds = 0.48});
//   v = forces.accelerate(x, v, dt);      // x in world space, relative to the origin given to make_forces

#include <optional>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/forces/curl_noise.h"
#include "spindrift/forces/params.h"

namespace spindrift::forces {

/// One besides gravity.
struct Force {
    ForceType type;
    Vec3f acceleration, position, axis, wind;
    float strength, radius, falloff, rate;
    float per_scale;  ///< noise: cells per metre
    Vec3f offset;     ///< noise: cells from a corner to the origin
    std::optional<CurlNoise> noise;
};

struct ForceSet {
    Vec3f gravity{};
    std::vector<Force> fields;

    /// Velocity after dt at position x (metres from the origin).
    Vec3f accelerate(Vec3f x, Vec3f v, float dt) const {
        v += gravity * dt;
        return fields.empty() ? v : apply_fields(x, v, dt);
    }

    /// Upper bound of the acceleration anywhere, of drag that of a particle at rest: what the automatic substeps look
    /// at.
    float largest_acceleration() const;

  private:
    Vec3f apply_fields(Vec3f x, Vec3f v, float dt) const;
};

/// A time, as keys and as fields that change by themselves count it.
struct Moment {
    double frame = 0;
    double seconds = 0;  ///< since the first frame
};

/// Without the fields that are not active at the moment.
ForceSet make_forces(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields, Vec3d origin,
                     Moment now = {});

/// Whether make_forces() gives different forces at different moments.
bool forces_change(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields);

}  // namespace spindrift::forces
