#pragma once
// The kinds of forces that scenes can ask for: what each does to a velocity at a place, all in metres and seconds.
//
//   FieldForce<Vortex> force{{.around = {center, axis}, .strength = {2, 1, 1}}};
//   force.apply(on);

#include <cmath>
#include <limits>
#include <utility>

#include "spindrift/core/vec.h"
#include "spindrift/forces/curl_noise.h"
#include "spindrift/forces/force.h"

namespace spindrift::forces {

/// 1 within the radius, (radius / distance)^falloff beyond it.
struct Fade {
    float radius, falloff;

    float at(float distance) const { return distance <= radius ? 1.f : std::pow(radius / distance, falloff); }
};

/// A region around a point in which a field acts; everywhere if its radius is infinite.
struct Region {
    Vec3f center;
    Fade fade;

    float share(Vec3f x) const {
        return fade.radius == std::numeric_limits<float>::infinity() ? 1.f : fade.at(length(x - center));
    }
};

/// Strength around a centre. Inside the radius it grows linearly from the centre, so that a particle there is not torn
/// about.
struct CentralStrength {
    float strength;
    Fade fade;

    float at(float distance) const {
        return strength * (distance < fade.radius ? distance / fade.radius : fade.at(distance));
    }
};

struct Axis {
    Vec3f point, direction;  ///< of length 1

    /// From the axis to a point, at right angles.
    Vec3f to(Vec3f x) const {
        const Vec3f from_point = x - point;
        return from_point - direction * dot(from_point, direction);
    }
};

struct Constant {
    Vec3f acceleration;

    Vec3f change(Vec3f, Vec3f, float dt) const { return acceleration * dt; }
    float largest() const { return length(acceleration); }
};

/// Towards a point.
struct Point {
    Vec3f center;
    CentralStrength strength;

    Vec3f change(Vec3f x, Vec3f, float dt) const { return towards(x - center, strength) * dt; }
    float largest() const { return std::abs(strength.strength); }

    static Vec3f towards(Vec3f from_center, const CentralStrength& strength) {
        const float distance = length(from_center);
        return distance > 0 ? from_center * (-strength.at(distance) / distance) : Vec3f{};
    }
};

/// Towards an axis.
struct Line {
    Axis axis;
    CentralStrength strength;

    Vec3f change(Vec3f x, Vec3f, float dt) const { return Point::towards(axis.to(x), strength) * dt; }
    float largest() const { return std::abs(strength.strength); }
};

/// Around an axis.
struct Vortex {
    Axis axis;
    CentralStrength strength;

    Vec3f change(Vec3f x, Vec3f, float dt) const {
        const Vec3f radial = axis.to(x);
        const float distance = length(radial);
        return distance > 0 ? cross(axis.direction, radial) * (strength.at(distance) / distance) * dt : Vec3f{};
    }
    float largest() const { return std::abs(strength.strength); }
};

/// Towards the velocity of a wind. Exact for a constant wind, so that any rate is stable.
struct Drag {
    Vec3f wind;
    float rate;
    Region region;

    Vec3f change(Vec3f x, Vec3f v, float dt) const { return (wind - v) * -std::expm1(-rate * region.share(x) * dt); }
    float largest() const { return rate * length(wind); }
    float largest_speed() const { return length(wind); }
};

/// Eddies without divergence.
struct Noise {
    CurlNoise noise;
    float per_scale;  ///< cells per metre
    Vec3f offset;     ///< cells from a corner to the origin
    float strength;
    Region region;

    Vec3f change(Vec3f x, Vec3f, float dt) const {
        return noise.at(x * per_scale + offset) * (strength * region.share(x)) * dt;
    }
    float largest() const { return std::abs(strength); }
};

/// A kind as a force.
template <class Kind>
class FieldForce final : public Force {
  public:
    explicit FieldForce(Kind kind) : kind_(std::move(kind)) {}

    void apply(const Pushed& on) const override {
        for (std::size_t k = 0; k < on.count; ++k) {
            const Vec3f v = on.v[k].xyz();
            const Vec3f faster = v + kind_.change(on.x[k].xyz(), v, on.dt);
            on.v[k] = {faster.x, faster.y, faster.z, on.v[k].w};
        }
    }
    float largest_acceleration() const override { return kind_.largest(); }
    float largest_speed() const override {
        if constexpr (requires { kind_.largest_speed(); })
            return kind_.largest_speed();
        else
            return 0;
    }

  private:
    Kind kind_;
};

}  // namespace spindrift::forces
