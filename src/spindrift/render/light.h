#pragma once
// The sky and the sun.
//
//   Light light(params.sky, params.sun);
//   Vec3f seen = light.sky(direction) + light.sun_disc(direction);
//   Vec3f lit = product(albedo, light.sun()) * (dot(normal, light.sun_direction()) / pi);
//
// Source: Preetham et al. 1999 for the sky of a day, CIE for the overcast one. Differs: scaled so that a grey floor
// under sun and sky is well exposed.

#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/render/looks/params.h"
#include "spindrift/render/sampling.h"

namespace spindrift::render {

/// Light of one colour on a surface of another.
constexpr Vec3f product(Vec3f a, Vec3f b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

constexpr Vec3f mix(Vec3f a, Vec3f b, float t) {
    return a * (1 - t) + b * t;
}

class Light {
  public:
    Light(Sky sky, const SunParams& sun);
    /// The same from everywhere, without a sun.
    explicit Light(Vec3f uniform);

    /// Radiance from a unit direction, without the sun.
    Vec3f sky(Vec3f direction) const;
    /// Mean radiance of the sky.
    Vec3f mean() const { return mean_; }
    /// What the horizon is like, into which floors fade.
    Vec3f horizon() const { return horizon_; }

    bool has_sun() const { return luminous_; }
    Vec3f sun_direction() const { return direction_; }
    /// Irradiance on a surface that faces the sun.
    Vec3f sun() const { return sun_; }
    /// Direction to a place on the sun's disc.
    Vec3f toward_sun(Pair p) const;
    /// Radiance of the sun from a unit direction: nothing but on its disc.
    Vec3f sun_disc(Vec3f direction) const;

  private:
    static constexpr int side = 128;
    void fill(const auto& radiance);
    const Vec3f& texel(int x, int y) const;

    std::vector<Vec3f> table_;  ///< on the faces of an octahedron, unfolded to a square
    Vec3f mean_{}, horizon_{};
    bool luminous_ = false;
    Vec3f direction_{0, 1, 0}, sun_{}, radiance_{};
    Frame frame_{Vec3f{0, 1, 0}};
    float radius_ = 0, edge_ = 1;
};

}  // namespace spindrift::render
