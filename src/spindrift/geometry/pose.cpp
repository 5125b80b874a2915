#include "spindrift/geometry/pose.h"

#include <cmath>
#include <numbers>

namespace spindrift::geometry {

Vec3d rotate(Vec3d p, Vec3d degrees) {
    for (int axis = 0; axis < 3; ++axis) {
        if (degrees[axis] == 0) continue;
        const double angle = degrees[axis] * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const double pa = p[a], pb = p[b];
        p[a] = c * pa - s * pb;
        p[b] = s * pa + c * pb;
    }
    return p;
}

Pose make_pose(Vec3d position, Vec3d rotation_deg) {
    Pose pose{.position = position};
    for (Vec3d* axis : {&pose.x, &pose.y, &pose.z})
        *axis = rotate(*axis, rotation_deg);
    return pose;
}

}  // namespace spindrift::geometry
