#pragma once
// Where a thing is and how it is turned.
//
//   Pose pose = make_pose({0, 1, 0}, {0, 90, 0});      // one metre up, turned a quarter about y
//   Vec3d world = pose.to_world({1, 0, 0});            // {0, 1, -1}

#include "spindrift/core/vec.h"

namespace spindrift::geometry {

/// Turns about x, then y, then z.
Vec3d rotate(Vec3d p, Vec3d degrees);

/// Position and unit axes in the world.
struct Pose {
    Vec3d position{}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

    Vec3d to_world(Vec3d local) const { return position + turn(local); }
    Vec3d turn(Vec3d local) const { return x * local.x + y * local.y + z * local.z; }
    Vec3d to_local(Vec3d world) const { return turn_back(world - position); }
    Vec3d turn_back(Vec3d offset) const { return {dot(offset, x), dot(offset, y), dot(offset, z)}; }
    friend bool operator==(const Pose&, const Pose&) = default;
};

Pose make_pose(Vec3d position, Vec3d rotation_deg);

}  // namespace spindrift::geometry
