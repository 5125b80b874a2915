#include "spindrift/render/path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace spindrift::render {

namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr Vec3f all_light{1, 1, 1};

/// Share of the floor that the haze before the horizon takes, by how flat the view is on it.
float haze(Vec3f direction) {
    return std::exp(direction.y / 0.07f);
}

float largest(Vec3f v) {
    return std::max({v.x, v.y, v.z});
}

/// Where light on a matte surface comes from. What a smoothed normal would have from behind the face comes from before
/// it: coarse meshes do not lose it.
Vec3f scattered(const Hit& hit, Pair p) {
    const Vec3f direction = cosine_hemisphere(hit.normal, p);
    const float beside = dot(direction, hit.face);
    return beside < 0 ? direction - hit.face * (2 * beside) : direction;
}

/// A surface on which something rises.
Hit bent(Hit hit, Vec3f slope) {
    hit.normal = normalize(hit.normal - (slope - hit.normal * dot(slope, hit.normal)));
    return hit;
}

}  // namespace

struct PathTracer::Walk {
    Ray ray;
    Vec3f weight;
    Inside inside;
    float distance;  ///< from the eye, along the way
    int surfaces;    ///< clear ones met so far
    Decisions& decisions;
    std::uint64_t& rays;
    Sample& sample;
};

Vec3f PathTracer::clamped(Vec3f light) const {
    const float most = largest(light);
    return most > effort_.brightest ? light * (effort_.brightest / most) : light;
}

Sample PathTracer::follow(const Ray& ray, const Hit& first, Decisions& decisions, std::uint64_t& rays) const {
    Sample sample;
    Walk walk{ray, all_light, eye_, 0, 0, decisions, rays, sample};
    if (first.body == Body::none) sample.unlit = 1;
    look(walk, first, true);
    return sample;
}

/// Follows what the camera sees, straight, mirrored and bent, to matte surfaces and to the sky. `splits` has both the
/// mirrored and the bent ray followed at the first surface, where chance would show most.
void PathTracer::look(Walk& walk, Hit hit, bool splits) const {
    for (;;) {
        if (rays_.has_fog() && walk.inside.medium() == air_medium) veil(walk, hit);
        if (hit.body == Body::none) {
            walk.sample.clear +=
                product(walk.weight, clamped(light_.sky(walk.ray.direction) + light_.sun_disc(walk.ray.direction)));
            return;
        }
        const Border border = hit.clear ? border_at(rays_, hit, walk.ray.direction, walk.inside) : Border{};
        const Vec3f sent = absorb(walk.weight, rays_, walk.inside.medium(), walk.ray, hit.distance);
        walk.sample.clear += product(sent, light_.mean());
        walk.distance += hit.distance;
        const Vec3f point = point_of(hit, walk.ray);
        if (!hit.clear) {
            if (!look_through(walk, hit, point)) return;
            hit = rays_.trace(walk.ray);
            continue;
        }
        if (border.far == air_medium && hit.body == Body::liquid) {
            const Hit touched = rays_.touching(hit, walk.ray);
            walk.rays += 1;
            if (touched.body != Body::none) return end(walk, touched, point);
        }
        if (const Foam::Look foam = rays_.foam_at(hit, point, walk.ray.time); foam.share > 0) {
            end_in(walk, bent(hit, foam.slope), point, foam.color, foam.share);
            walk.weight *= 1 - foam.share;
            if (largest(walk.weight) < 0.002f) return;
        }
        if (++walk.surfaces > effort_.surfaces) {
            walk.sample.clear += product(walk.weight, light_.mean());
            return;
        }
        if (hit.body == Body::mesh) walk.weight = product(walk.weight, paint_.tint(hit));
        if (turns_back(walk, hit, border, splits))
            walk.ray = mirrored(rays_, hit, walk.ray);
        else if (!enter(walk, hit, border, point))
            return;
        walk.rays += 1;
        hit = rays_.trace(walk.ray);
    }
}

/// What is not clear ends a ray, but for the middles of bubbles; false if nothing is left of it.
bool PathTracer::look_through(Walk& walk, const Hit& hit, Vec3f point) const {
    const RayScene::Bubble bubble = rays_.bubble_at(hit, walk.ray);
    if (bubble.share >= 1 || ++walk.surfaces > effort_.surfaces) {
        end(walk, hit, point);
        return false;
    }
    end_in(walk, hit, point, paint_(hit, point, walk.ray.direction, walk.distance), bubble.share);
    walk.weight *= 1 - bubble.share;
    walk.ray.origin = point + walk.ray.direction * (1.002f * bubble.through);
    walk.rays += 1;
    return largest(walk.weight) >= 0.002f;
}

/// Fog in the air before what is seen: it takes light away, and sends on that of the sun and the sky.
void PathTracer::veil(Walk& walk, const Hit& hit) const {
    const float far = hit.body == Body::none ? std::numeric_limits<float>::infinity() : hit.distance;
    const Fog::Veil fog = rays_.fog_before(walk.ray, far, walk.decisions.next().u);
    if (fog.left > 0.999f) return;
    const Vec3f point = walk.ray.origin + walk.ray.direction * fog.distance;
    walk.sample.clear += product(walk.weight, clamped(light_in_fog(walk, point))) * ((1 - fog.left) * Fog::albedo);
    walk.weight *= fog.left;
}

/// Once scattered light of the sun, which drops send mostly on, and the sky's, scattered often, from everywhere.
Vec3f PathTracer::light_in_fog(Walk& walk, Vec3f point) const {
    Vec3f light = light_.mean();
    if (!light_.has_sun()) return light;
    const Vec3f to_sun = light_.toward_sun(walk.decisions.next());
    const Ray up{point, to_sun, walk.ray.time};
    walk.rays += 1;
    if (rays_.is_hidden(point, to_sun, up)) return light;
    // Henyey and Greenstein 1941; forward is less than a single drop's, for light that is scattered more than once.
    constexpr float forward = 0.4f;
    const float turn = 1 + forward * forward - 2 * forward * dot(walk.ray.direction, to_sun);
    const float phase = (1 - forward * forward) / (4 * pi * turn * std::sqrt(turn));
    const float left = rays_.fog_before(up, std::numeric_limits<float>::infinity(), 0.5f).left;
    return light + light_.sun() * (phase * left);
}

/// Whether a ray goes on as the mirrored one. The first time that there is a choice both are followed.
bool PathTracer::turns_back(Walk& walk, const Hit& hit, const Border& border, bool& splits) const {
    if (border.mirrored == 0 || border.mirrored == 1) return border.mirrored == 1;
    if (splits) {
        splits = false;
        Walk other = walk;
        other.weight *= border.mirrored;
        other.ray = mirrored(rays_, hit, walk.ray);
        other.rays += 1;
        look(other, rays_.trace(other.ray), false);
    } else if (border.mirrored < effort_.faint) {
        walk.sample.clear += product(walk.weight, light_.mean()) * border.mirrored;
    } else {
        return walk.decisions.next().u < border.mirrored;
    }
    walk.weight *= 1 - border.mirrored;
    return false;
}

/// Goes on behind a border, past what is cloudy there; false if nothing is left of the ray.
bool PathTracer::enter(Walk& walk, const Hit& hit, const Border& border, Vec3f point) const {
    if (border.far != air_medium && border.near != border.far) {
        const Cloudy cloudy = cloudy_behind(rays_, border, point);
        if (cloudy.share > 0) end_in(walk, hit, point, cloudy.color, cloudy.share);
        walk.weight *= 1 - cloudy.share;
        if (largest(walk.weight) < 0.002f) return false;
    }
    walk.ray = passed(rays_, hit, walk.ray, border.ratio);
    walk.inside = border.beyond;
    return true;
}

/// A matte surface is seen, but for the haze before the horizon.
void PathTracer::end(Walk& walk, const Hit& hit, Vec3f point) const {
    float veil = 0;
    if (hit.body == Body::ground && walk.inside.medium() == air_medium) {
        veil = haze(walk.ray.direction);
        walk.sample.clear += product(light_.horizon(), walk.weight) * veil;
        if (veil > 0.99f) return;
    }
    end_in(walk, hit, point, paint_(hit, point, walk.ray.direction, walk.distance), 1 - veil);
}

/// A colour is seen where a ray ends, with a share of its weight, and the light on it.
void PathTracer::end_in(Walk& walk, const Hit& hit, Vec3f point, Vec3f albedo, float share) const {
    const Vec3f weight = walk.weight * share, seen = product(weight, albedo);
    walk.sample.albedo += seen;
    walk.sample.matte += product(seen, light_on(walk, hit, point));
    const float much = largest(weight);
    walk.sample.point += (walk.ray.direction * walk.distance) * much;
    walk.sample.normal += hit.normal * much;
    walk.sample.weight += much;
}

/// Light of the sun on a surface, as white paper would show it.
Vec3f PathTracer::sunlight(Walk& walk, const Hit& hit, Vec3f point) const {
    if (!light_.has_sun()) return {};
    const Vec3f to_sun = light_.toward_sun(walk.decisions.next());
    const float facing = dot(hit.normal, to_sun);
    if (!(facing > 0) || !(dot(hit.face, to_sun) > 0)) return {};
    walk.rays += 1;
    if (rays_.is_hidden(point, hit.face, {point, to_sun, walk.ray.time})) return {};
    return light_.sun() * (facing / pi);
}

Vec3f PathTracer::light_on(Walk& walk, const Hit& hit, Vec3f point) const {
    Vec3f light = sunlight(walk, hit, point) + photons_.at(point, hit.normal) / pi;
    Walk other = walk;
    other.ray = rays_.leave(point, hit.face, scattered(hit, walk.decisions.next()), walk.ray.time);
    other.weight = all_light;
    return light + clamped(gather(other, effort_.bounces));
}

/// Light that comes along a ray to a matte surface: the sun is left out where rays to it and photons bring it.
Vec3f PathTracer::gather(Walk walk, int bounces) const {
    Vec3f light;
    for (int surface = 0; surface < effort_.gathered + effort_.bounces; ++surface) {
        walk.rays += 1;
        const Hit hit = rays_.trace(walk.ray);
        if (hit.body == Body::none) return light + product(walk.weight, light_.sky(walk.ray.direction));
        const Border border = hit.clear ? border_at(rays_, hit, walk.ray.direction, walk.inside) : Border{};
        light += product(absorb(walk.weight, rays_, walk.inside.medium(), walk.ray, hit.distance), light_.mean());
        const Vec3f point = point_of(hit, walk.ray);
        walk.distance += hit.distance;
        Hit matte = hit.clear ? Hit{} : hit;
        if (hit.clear && border.far == air_medium && hit.body == Body::liquid) matte = rays_.touching(hit, walk.ray);
        if (matte.body != Body::none) {
            walk.weight = product(walk.weight, paint_(matte, point, walk.ray.direction, walk.distance));
            if (bounces-- <= 0) return light + product(walk.weight, light_.mean());
            const Vec3f bright = sunlight(walk, matte, point) + photons_.at(point, matte.normal) / pi;
            light += product(walk.weight, bright);
            walk.ray = rays_.leave(point, matte.face, scattered(matte, walk.decisions.next()), walk.ray.time);
            continue;
        }
        if (const Foam::Look foam = rays_.foam_at(hit, point, walk.ray.time); foam.share > 0) {
            light += product(product(walk.weight, foam.color), light_.mean()) * foam.share;
            walk.weight *= 1 - foam.share;
        }
        if (hit.body == Body::mesh) walk.weight = product(walk.weight, paint_.tint(hit));
        if (border.mirrored > 0 && walk.decisions.next().u < border.mirrored) {
            walk.ray = mirrored(rays_, hit, walk.ray);
            continue;
        }
        if (const Cloudy cloudy = cloudy_behind(rays_, border, point); cloudy.share > 0) {
            light += product(product(walk.weight, cloudy.color), light_.mean()) * cloudy.share;
            walk.weight *= 1 - cloudy.share;
        }
        walk.ray = passed(rays_, hit, walk.ray, border.ratio);
        walk.inside = border.beyond;
    }
    return light + product(walk.weight, light_.mean());
}

}  // namespace spindrift::render
