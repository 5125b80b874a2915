#include "spindrift/geometry/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spindrift/core/errors.h"

namespace spindrift::geometry {

namespace {

struct Basis {
    Vec3d right, up, forward;
};

double usable_length(Vec3d a) {
    return is_finite(a) ? length(a) : 0;
}

Basis look(Vec3d direction, Vec3d up) {
    const Vec3d forward = usable_length(direction) > 0 ? normalize(direction) : Vec3d{0, 0, -1};
    for (const Vec3d candidate : {up, Vec3d{0, 1, 0}, Vec3d{0, 0, -1}}) {
        const double size = usable_length(candidate);
        const Vec3d right = size > 0 ? cross(forward, candidate / size) : Vec3d{};
        if (length(right) > 1e-4) return {normalize(right), cross(normalize(right), forward), forward};
    }
    return {{1, 0, 0}, {0, 0, -1}, forward};
}

double half_tangent(double fov_deg) {
    return std::tan(std::clamp(fov_deg, 1.0, 170.0) * std::numbers::pi / 360);
}

/// The nearest camera along one picture axis that sees every corner between two planes of slope `tangent`.
struct Fit {
    double left = -std::numeric_limits<double>::infinity(), right = left;

    void add(double across, double towards, double tangent) {
        right = std::max(right, across + tangent * towards);
        left = std::max(left, -across + tangent * towards);
    }
    double distance(double tangent) const { return (left + right) / (2 * tangent); }
    double center() const { return (right - left) / 2; }
};

/// Something to look at when there is nothing: a unit box around what is finite.
Box3d usable_box(const Box3d& bounds) {
    const bool ordered = bounds.lo.x <= bounds.hi.x && bounds.lo.y <= bounds.hi.y && bounds.lo.z <= bounds.hi.z;
    if (!is_finite(bounds.lo) || !is_finite(bounds.hi) || !ordered) return {{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    if (length(bounds.size()) > 0) return bounds;
    return {bounds.lo - Vec3d{0.5, 0.5, 0.5}, bounds.hi + Vec3d{0.5, 0.5, 0.5}};
}

}  // namespace

Camera automatic_camera(const Box3d& bounds, double aspect) {
    constexpr double margin = 1.12;
    constexpr Vec3d view_direction{-0.52, -0.42, -1};
    const Box3d box = usable_box(bounds);
    Camera camera;
    camera.up = {0, 1, 0};
    const Basis basis = look(view_direction, camera.up);
    const double tangent_y = half_tangent(camera.fov_deg) / margin, tangent_x = tangent_y * aspect;

    // Each corner asks for a distance and a shift across; the closed answer centres the box exactly.
    Fit horizontal, vertical;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{(corner & 1 ? box.hi : box.lo).x, (corner & 2 ? box.hi : box.lo).y,
                      (corner & 4 ? box.hi : box.lo).z};
        const Vec3d offset = p - box.center();
        horizontal.add(dot(offset, basis.right), -dot(offset, basis.forward), tangent_x);
        vertical.add(dot(offset, basis.up), -dot(offset, basis.forward), tangent_y);
    }
    const double distance = std::max(horizontal.distance(tangent_x), vertical.distance(tangent_y));
    camera.target = box.center() + basis.right * horizontal.center() + basis.up * vertical.center();
    camera.position = camera.target - basis.forward * distance;
    return camera;
}

View::View(const Camera& camera, std::array<int, 2> resolution)
    : eye_(camera.position), width_(resolution[0]), height_(resolution[1]) {
    SPINDRIFT_CHECK(width_ > 0 && height_ > 0 && is_finite(eye_));
    const Basis basis = look(camera.target - camera.position, camera.up);
    forward_ = vec_cast<float>(basis.forward);
    right_ = vec_cast<float>(basis.right);
    up_ = vec_cast<float>(basis.up);
    pixel_ = static_cast<float>(2 * half_tangent(camera.fov_deg) / height_);
}

Vec3f View::ray(float px, float py) const {
    const float x = (px - 0.5f * static_cast<float>(width_)) * pixel_;
    const float y = (0.5f * static_cast<float>(height_) - py) * pixel_;
    return normalize(forward_ + right_ * x + up_ * y);
}

}  // namespace spindrift::geometry
