#include "spindrift/emitters/pose.h"

namespace spindrift::emitters {

namespace {

/// The width is horizontal; straight up or down it lies along x.
Pose nozzle_axes(Vec3d direction) {
    Pose pose;
    pose.z = normalize(direction);
    const Vec3d across = cross(Vec3d{0, 1, 0}, pose.z);
    pose.x = length(across) > 1e-3 ? normalize(across) : normalize(Vec3d{1, 0, 0} - pose.z * pose.z.x);
    pose.y = cross(pose.z, pose.x);
    return pose;
}

}  // namespace

Pose pose_at(const EmitterParams& emitter, double frame) {
    Pose pose = emitter.is_nozzle() ? nozzle_axes(emitter.direction.at(frame)) : Pose{};
    const Vec3d degrees = emitter.rotation_deg.at(frame);
    for (Vec3d* axis : {&pose.x, &pose.y, &pose.z})
        *axis = geometry::rotate(*axis, degrees);
    pose.position = emitter.position.at(frame);
    return pose;
}

Vec3d point_velocity(const EmitterParams& emitter, Vec3d local, double frame, double fps) {
    const bool moves = emitter.position.moves() || emitter.rotation_deg.moves() || emitter.direction.moves();
    if (!moves) return {};
    constexpr double step = 5e-4;  // frames, as in Animated::rate
    const Vec3d before = pose_at(emitter, frame - step).to_world(local);
    const Vec3d after = pose_at(emitter, frame + step).to_world(local);
    return (after - before) * (fps / (2 * step));
}

}  // namespace spindrift::emitters
