#pragma once
// A body as it is at one moment: all that is needed to go on from there, and to draw it.
//
//   BodyState state = bodies.state(0);
//   geometry::Pose pose = pose_of(state);          // its centre's place and axes in the world

#include <array>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::bodies {

/// World space, metres, seconds. A rigid body has no points, one that deforms is nothing but points.
struct BodyState {
    Vec3d center{};                          ///< of mass
    std::array<double, 4> turn{0, 0, 0, 1};  ///< unit quaternion x y z w, of the body's own axes
    Vec3d velocity{}, spin{};                ///< of the centre, m/s; about it, rad/s
    std::vector<Vec3d> points{};             ///< of a body that deforms
    std::vector<Vec3d> velocities{};         ///< of its points, m/s
    Vec3d held{};                            ///< what obstacles and pins gave one that deforms in the last step, N s

    friend bool operator==(const BodyState&, const BodyState&) = default;
};

/// Two bodies, or a body and something that stands still (-1), that press on each other.
struct BodyContact {
    int a = -1, b = -1;
    Vec3d point{}, normal{};  ///< world; from b to a
    double impulse = 0;       ///< N s in the last step

    friend bool operator==(const BodyContact&, const BodyContact&) = default;
};

/// A unit quaternion as axes at a place.
geometry::Pose make_pose(Vec3d position, const std::array<double, 4>& turn);

/// The quaternion of axes.
std::array<double, 4> turn_of(const geometry::Pose& pose);

/// A quaternion after turning with a spin for some seconds, of unit length.
std::array<double, 4> turned(const std::array<double, 4>& turn, Vec3d spin, double seconds);

}  // namespace spindrift::bodies
