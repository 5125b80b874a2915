#include "spindrift/forces/force_set.h"

#include <cmath>

namespace spindrift::forces {

namespace {

/// 1 within the radius, (radius / distance)^falloff beyond it.
float fade(const ForceSet::Field& field, float distance) {
    return distance <= field.radius ? 1.f : std::pow(field.radius / distance, field.falloff);
}

Vec3f point_acceleration(const ForceSet::Field& field, Vec3f x) {
    const Vec3f to_center = field.position - x;
    const float distance = length(to_center);
    // Inside the radius the pull grows linearly from the centre, so a particle there is not torn about.
    const float strength = field.strength * (distance < field.radius ? distance / field.radius : fade(field, distance));
    return distance > 0 ? to_center * (strength / distance) : Vec3f{};
}

Vec3f vortex_acceleration(const ForceSet::Field& field, Vec3f x) {
    const Vec3f from_center = x - field.position;
    const Vec3f radial = from_center - field.axis * dot(from_center, field.axis);
    const float distance = length(radial);
    const float strength = field.strength * (distance < field.radius ? distance / field.radius : fade(field, distance));
    return distance > 0 ? cross(field.axis, radial) * (strength / distance) : Vec3f{};
}

}  // namespace

Vec3f ForceSet::apply_fields(Vec3f x, Vec3f v, float dt) const {
    for (const Field& field : fields) {
        switch (field.type) {
            case ForceType::constant:
                v += field.acceleration * dt;
                break;
            case ForceType::point:
                v += point_acceleration(field, x) * dt;
                break;
            case ForceType::vortex:
                v += vortex_acceleration(field, x) * dt;
                break;
            case ForceType::drag:
                // Exact for a constant wind, so any rate is stable.
                v += (field.wind - v) * -std::expm1(-field.rate * dt);
                break;
        }
    }
    return v;
}

float ForceSet::largest_acceleration() const {
    float sum = length(gravity);
    for (const Field& field : fields) {
        if (field.type == ForceType::constant) sum += length(field.acceleration);
        if (field.type == ForceType::point || field.type == ForceType::vortex) sum += std::abs(field.strength);
    }
    return sum;
}

ForceSet make_forces(Vec3d gravity, std::span<const ForceParams> fields, Vec3d origin) {
    ForceSet set;
    set.gravity = vec_cast<float>(gravity);
    for (const ForceParams& p : fields) {
        set.fields.push_back({.type = p.type,
                              .acceleration = vec_cast<float>(p.acceleration),
                              .position = vec_cast<float>(p.position - origin),
                              .axis = vec_cast<float>(normalize(p.axis)),
                              .wind = vec_cast<float>(p.wind),
                              .strength = static_cast<float>(p.strength),
                              .radius = static_cast<float>(p.radius),
                              .falloff = static_cast<float>(p.falloff),
                              .rate = static_cast<float>(p.rate)});
    }
    return set;
}

}  // namespace spindrift::forces
