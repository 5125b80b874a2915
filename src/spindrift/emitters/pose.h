#pragma once
// Where an emitter is and how it is turned at a frame, and how fast its points move.
//
//   Pose now = pose_at(tap, 12.5);
//   Vec3d middle = now.to_world({0, 0, 0});

#include "spindrift/core/vec.h"
#include "spindrift/emitters/params.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::emitters {

using geometry::Pose;

/// z of a nozzle is the direction that liquid leaves it in.
Pose pose_at(const EmitterParams& emitter, double frame);

/// Velocity of a point that is fixed to the emitter, in m/s.
Vec3d point_velocity(const EmitterParams& emitter, Vec3d local, double frame, double fps);

}  // namespace spindrift::emitters
