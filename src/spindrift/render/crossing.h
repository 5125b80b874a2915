#pragma once
// Rays at the borders of clear media. A ray knows which liquid and which glass it is in; where both are, as where the
// mesh of a drink reaches into the wall of its glass, it is the glass that counts (Schmidt and Budge 2002).
//
//   Inside inside;                                               // air
//   Border border = border_at(rays, hit, ray.direction, inside);
//   ray = border.mirrored > u ? mirrored(rays, hit, ray) : passed(rays, hit, ray, border);

#include "spindrift/render/ray_scene.h"

namespace spindrift::render {

struct Inside {
    int liquid = air_medium, glass = air_medium;

    int medium() const { return glass == air_medium ? liquid : glass; }
};

/// What a surface does to a ray.
struct Border {
    int near = air_medium, far = air_medium;  ///< the media that count
    float ratio = 1;                          ///< index on the near side over that on the far one
    float mirrored = 0;                       ///< share of the light that is turned back
    Inside beyond{};                          ///< what the ray is in on the far side
};

/// At a hit of something clear. Surfaces know better than the ray what it has been in: broken meshes do no lasting
/// harm.
Border border_at(const RayScene& rays, const Hit& hit, Vec3f direction, Inside& inside);

/// Share of the light that goes in which comes back at once, in a colour.
struct Cloudy {
    float share = 0;
    Vec3f color{};
};
/// Of what is behind a border, at a point of it in the scene's coordinates.
Cloudy cloudy_behind(const RayScene& rays, const Border& border, Vec3f point);

/// The ray that is turned back at a hit of `ray`, and the one that goes on.
Ray mirrored(const RayScene& rays, const Hit& hit, const Ray& ray);
Ray passed(const RayScene& rays, const Hit& hit, const Ray& ray, float ratio);

inline Vec3f point_of(const Hit& hit, const Ray& ray) {
    return ray.origin + ray.direction * hit.distance;
}

/// Takes from the weight of a ray what a medium absorbs on its way from where it starts; the light that the medium
/// sends on is returned, as a share of the light around.
Vec3f absorb(Vec3f& weight, const RayScene& rays, int medium, const Ray& ray, float distance);

/// What a place is in. Looks for the surface above it.
Inside inside_at(const RayScene& rays, Vec3f place);

}  // namespace spindrift::render
