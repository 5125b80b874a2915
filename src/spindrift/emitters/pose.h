#pragma once
// Where an emitter is and how it is turned at a frame, and how fast its points move.
//
//   Pose now = pose_at(tap, 12.5);
//   Vec3d middle = now.to_world({0, 0, 0});

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"

namespace spindrift::emitters {

/// Axes of the emitter in the world; z of a nozzle is the direction that liquid leaves it in.
struct Pose {
    Vec3d position{}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

    Vec3d to_world(Vec3d local) const { return position + x * local.x + y * local.y + z * local.z; }
    Vec3d to_local(Vec3d world) const {
        const Vec3d offset = world - position;
        return {dot(offset, x), dot(offset, y), dot(offset, z)};
    }
};

Pose pose_at(const EmitterParams& emitter, double frame);

/// Velocity of a point that is fixed to the emitter, in m/s.
Vec3d point_velocity(const EmitterParams& emitter, Vec3d local, double frame, double fps);

}  // namespace spindrift::emitters
