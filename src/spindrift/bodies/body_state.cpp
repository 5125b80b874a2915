#include "spindrift/bodies/body_state.h"

#include <cmath>

namespace spindrift::bodies {

namespace {

using Turn = std::array<double, 4>;

/// First b, then a.
Turn product(const Turn& a, const Turn& b) {
    return {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Turn normalized(Turn q) {
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (size == 0) return {0, 0, 0, 1};
    for (double& c : q)
        c /= size;
    return q;
}

}  // namespace

geometry::Pose make_pose(Vec3d position, const Turn& turn) {
    const auto [x, y, z, w] = turn;
    geometry::Pose pose;
    pose.position = position;
    pose.x = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    pose.y = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    pose.z = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    return pose;
}

/// From the largest component, so that nothing small is divided by.
Turn turn_of(const geometry::Pose& pose) {
    const Vec3d x = pose.x, y = pose.y, z = pose.z;
    const double four[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z};
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
        if (four[k] > four[largest]) largest = k;
    }
    const double t = std::sqrt(std::max(four[largest], 0.0)) / 2, s = 0.25 / t;
    switch (largest) {
        case 0:
            return normalized({t, (x.y + y.x) * s, (z.x + x.z) * s, (y.z - z.y) * s});
        case 1:
            return normalized({(x.y + y.x) * s, t, (y.z + z.y) * s, (z.x - x.z) * s});
        case 2:
            return normalized({(z.x + x.z) * s, (y.z + z.y) * s, t, (x.y - y.x) * s});
        default:
            return normalized({(y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, t});
    }
}

Turn turned(const Turn& turn, Vec3d spin, double seconds) {
    const double angle = length(spin) * seconds;
    if (angle == 0) return turn;
    const Vec3d axis = normalize(spin) * std::sin(0.5 * angle);
    return normalized(product({axis.x, axis.y, axis.z, std::cos(0.5 * angle)}, turn));
}

}  // namespace spindrift::bodies
