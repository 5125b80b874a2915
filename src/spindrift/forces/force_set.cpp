#include "spindrift/forces/force_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindrift::forces {

namespace {

/// 1 within the radius, (radius / distance)^falloff beyond it.
float fade(const Force& field, float distance) {
    return distance <= field.radius ? 1.f : std::pow(field.radius / distance, field.falloff);
}

/// Share of the field that acts at a point, for fields that fill a region.
float region(const Force& field, Vec3f x) {
    constexpr float endless = std::numeric_limits<float>::infinity();
    return field.radius == endless ? 1.f : fade(field, length(x - field.position));
}

/// Strength of a field around a centre. Inside the radius it grows linearly from the centre, so a particle there is not
/// torn about.
float central_strength(const Force& field, float distance) {
    return field.strength * (distance < field.radius ? distance / field.radius : fade(field, distance));
}

/// From the axis to the point, at right angles to the axis.
Vec3f from_axis(const Force& field, Vec3f x) {
    const Vec3f from_center = x - field.position;
    return from_center - field.axis * dot(from_center, field.axis);
}

Vec3f towards(const Force& field, Vec3f from_center) {
    const float distance = length(from_center);
    return distance > 0 ? from_center * (-central_strength(field, distance) / distance) : Vec3f{};
}

Vec3f around(const Force& field, Vec3f radial) {
    const float distance = length(radial);
    return distance > 0 ? cross(field.axis, radial) * (central_strength(field, distance) / distance) : Vec3f{};
}

Vec3f noise_acceleration(const Force& field, Vec3f x) {
    return field.noise->at(x * field.per_scale + field.offset) * (field.strength * region(field, x));
}

Vec3f change(const Force& field, Vec3f x, Vec3f v, float dt) {
    switch (field.type) {
        case ForceType::constant:
            return field.acceleration * dt;
        case ForceType::point:
            return towards(field, x - field.position) * dt;
        case ForceType::line:
            return towards(field, from_axis(field, x)) * dt;
        case ForceType::vortex:
            return around(field, from_axis(field, x)) * dt;
        case ForceType::drag:
            // Exact for a constant wind, so any rate is stable.
            return (field.wind - v) * -std::expm1(-field.rate * region(field, x) * dt);
        case ForceType::noise:
            return noise_acceleration(field, x) * dt;
    }
    return {};
}

float largest(const Force& field) {
    if (field.type == ForceType::constant) return length(field.acceleration);
    return field.type == ForceType::drag ? field.rate * length(field.wind) : std::abs(field.strength);
}

bool is_active(const ForceParams& params, double frame) {
    return !params.active || (frame >= (*params.active)[0] && frame <= (*params.active)[1]);
}

float radius_at(const ForceParams& params, double frame) {
    if (params.radius) return static_cast<float>(params.radius->at(frame));
    const bool fills_space = params.type == ForceType::drag || params.type == ForceType::noise;
    return fills_space ? std::numeric_limits<float>::infinity() : 1.f;
}

/// Zero for a moment if the axis is on its way between opposite keys.
Vec3f direction_at(const Animated<Vec3d>& axis, double frame) {
    const Vec3d a = axis.at(frame);
    return length(a) > 0 ? vec_cast<float>(normalize(a)) : Vec3f{};
}

void place_noise(Force& field, const ForceParams& params, Vec3d origin, double seconds) {
    field.noise.emplace(static_cast<std::uint64_t>(params.seed), params.speed * seconds);
    field.per_scale = static_cast<float>(1 / params.scale);
    for (int a = 0; a < 3; ++a) {
        const double cells = origin[a] / params.scale, whole = std::floor(cells);
        field.noise->base[static_cast<std::size_t>(a)] = static_cast<std::uint32_t>(static_cast<std::int64_t>(whole));
        field.offset[a] = static_cast<float>(cells - whole);
    }
}

Force make_field(const ForceParams& p, Vec3d origin, Moment now) {
    Force field{.type = p.type,
                .acceleration = vec_cast<float>(p.acceleration.at(now.frame)),
                .position = vec_cast<float>(p.position.at(now.frame) - origin),
                .axis = direction_at(p.axis, now.frame),
                .wind = vec_cast<float>(p.wind.at(now.frame)),
                .strength = static_cast<float>(p.strength.at(now.frame)),
                .radius = radius_at(p, now.frame),
                .falloff = static_cast<float>(p.falloff),
                .rate = static_cast<float>(p.rate.at(now.frame)),
                .per_scale = 0,
                .offset = {},
                .noise = {}};
    const bool has_axis = p.type == ForceType::line || p.type == ForceType::vortex;
    if (has_axis && field.axis == Vec3f{}) field.strength = 0;
    if (p.type == ForceType::noise) place_noise(field, p, origin, now.seconds);
    return field;
}

/// Visits parameters and looks for one that changes over time.
struct KeyFinder {
    bool found = false;

    template <class T>
    void operator()(std::string_view, const T&, const ParamInfo&) {}
    template <class T>
    void operator()(std::string_view, const Animated<T>& value, const ParamInfo&) {
        found |= value.moves();
    }
    template <class T>
    void operator()(std::string_view, const std::optional<Animated<T>>& value, const ParamInfo&) {
        found |= value && value->moves();
    }
};

bool changes(const ForceParams& p) {
    KeyFinder keys;
    ForceParams::describe(p, keys);
    return keys.found || p.active || (p.type == ForceType::noise && p.speed != 0);
}

}  // namespace

Vec3f ForceSet::apply_fields(Vec3f x, Vec3f v, float dt) const {
    for (const Force& field : fields)
        v += change(field, x, v, dt);
    return v;
}

float ForceSet::largest_acceleration() const {
    float sum = length(gravity);
    for (const Force& field : fields)
        sum += largest(field);
    return sum;
}

ForceSet make_forces(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields, Vec3d origin, Moment now) {
    ForceSet set;
    set.gravity = vec_cast<float>(gravity.at(now.frame));
    for (const ForceParams& params : fields) {
        if (is_active(params, now.frame)) set.fields.push_back(make_field(params, origin, now));
    }
    return set;
}

bool forces_change(const Animated<Vec3d>& gravity, std::span<const ForceParams> fields) {
    return gravity.moves() || std::any_of(fields.begin(), fields.end(), changes);
}

}  // namespace spindrift::forces
