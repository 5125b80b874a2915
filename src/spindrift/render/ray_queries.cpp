#include <algorithm>
#include <array>
#include <limits>

#include "spindrift/core/errors.h"
#include "spindrift/render/ray_scene.h"

namespace spindrift::render {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Distance within which liquid touches what is beside it, in particle radii.
constexpr float contact_radii = 2.5f;

RTCRay make_ray(const Ray& from, float near, float far, unsigned mask) {
    RTCRay ray{};
    ray.org_x = from.origin.x, ray.org_y = from.origin.y, ray.org_z = from.origin.z;
    ray.dir_x = from.direction.x, ray.dir_y = from.direction.y, ray.dir_z = from.direction.z;
    ray.tnear = near, ray.tfar = far, ray.time = from.time;
    ray.mask = mask;
    return ray;
}

RTCRayHit intersect(RTCScene scene, const Ray& ray, float near, float far, unsigned mask) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit met{make_ray(ray, near, far, mask), {}};
    met.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &met);
    return met;
}

bool is_met(const RTCRayHit& met) {
    return met.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

}  // namespace

Vec3f RayScene::Triangles::normal(const Hit& hit) const {
    const std::array<float, 3> weights{1 - hit.u - hit.v, hit.u, hit.v};
    Vec3f mean;
    for (std::size_t k = 0; k < 3; ++k) {
        if (point_normals) {
            const float* n = point_normals + 3 * static_cast<std::size_t>(mesh->triangles[hit.index][k]);
            mean += Vec3f{n[0], n[1], n[2]} * weights[k];
        } else {
            mean += normals[hit.index][k] * weights[k];
        }
    }
    return turned ? vec_cast<float>(pose.turn(vec_cast<double>(mean))) : mean;
}

/// Smooths a normal, unless it would differ from the face's by more than `likely`.
void RayScene::bend_normal(Hit& hit, Vec3f mean, float likely) const {
    const float size = length(mean);
    if (!(size > 0.1f)) return;
    const Vec3f bent = dot(mean, hit.face) < 0 ? -mean / size : mean / size;
    if (dot(bent, hit.face) > likely) hit.normal = bent;
}

void RayScene::set_media(Hit& hit, const Geometry& what) const {
    if (!what.clear) return;
    hit.clear = true;
    hit.thin = what.thin;
    if (what.body == Body::mesh) {
        (hit.behind != what.inside_out ? hit.near : hit.far) = what.first_medium;
        return;
    }
    const auto most = static_cast<int>(scene_.liquids[hit.mesh].looks.size()) - 1;
    const auto medium = [&](std::uint8_t side) {
        return side == surface::air ? air_medium : what.first_medium + std::min<int>(side, most);
    };
    hit.near = medium(hit.sides[hit.behind ? 0 : 1]);
    hit.far = medium(hit.sides[hit.behind ? 1 : 0]);
}

/// Where several surfaces of liquids meet, normals at their points are none of any of them: the face's own is better.
void RayScene::look_at_liquid(Hit& hit, const RTCHit& met, const Ray& ray) const {
    constexpr float likely = 0.6f;
    if (const LatticeBody* lattice = lattices_[hit.mesh].get()) {
        hit.sides = LatticeBody::sides(met);
        bend_normal(hit, lattice->normal(met.primID, hit.sides, ray.origin + ray.direction * hit.distance), likely);
        return;
    }
    const Triangles& triangles = liquids_[hit.mesh];
    if (!triangles.sides.empty()) hit.sides = triangles.sides[hit.index];
    bend_normal(hit, triangles.normal(hit), likely);
}

Hit RayScene::make_hit(const RTCHit& met, float distance, const Ray& ray) const {
    const Geometry& what = geometries_[met.geomID];
    Hit hit;
    hit.body = what.body, hit.mesh = what.index, hit.index = met.primID;
    hit.distance = distance, hit.u = met.u, hit.v = met.v;
    const Vec3f outward = normalize(Vec3f{met.Ng_x, met.Ng_y, met.Ng_z});
    hit.behind = dot(outward, ray.direction) > 0;
    hit.face = hit.normal = hit.behind ? -outward : outward;
    if (what.body == Body::mesh) bend_normal(hit, meshes_[hit.mesh].normal(hit), 0);
    if (what.body == Body::liquid) look_at_liquid(hit, met, ray);
    set_media(hit, what);
    return hit;
}

Fog::Veil RayScene::fog_before(const Ray& ray, float distance, float jitter) const {
    return scene_.fog ? scene_.fog->along(ray.origin + eye_, ray.direction, distance, jitter) : Fog::Veil{};
}

RayScene::Bubble RayScene::bubble_at(const Hit& hit, const Ray& ray) const {
    if (hit.body != Body::cloud || !scene_.clouds[hit.mesh].hollow) return {};
    const Cloud& cloud = scene_.clouds[hit.mesh];
    const float facing = std::min(1.f, -dot(hit.normal, ray.direction)), aside = std::sqrt(1 - facing * facing);
    // Beyond three quarters of its radius a bubble in water mirrors all light; in the middle it bends some away.
    constexpr float middle = 0.2f, from = 0.6f, to = 0.8f;
    const float t = std::clamp((aside - from) / (to - from), 0.f, 1.f);
    const float radius = cloud.radii.empty() ? cloud.radius : cloud.radii[hit.index];
    return {middle + (1 - middle) * t * t * (3 - 2 * t), 2 * radius * facing};
}

Foam::Look RayScene::foam_at(const Hit& hit, Vec3f point, float time) const {
    if (hit.body != Body::liquid) return {};
    const LiquidBody& liquid = scene_.liquids[hit.mesh];
    if (!liquid.foam) return {};
    Vec3f place = point + eye_;
    const geometry::Attribute* motion = scene_.shutter > 0 && liquid.mesh ? liquid.mesh->find("v") : nullptr;
    if (motion && motion->width == 3) {
        // Back to where the surface is at the moment that the foam is known for.
        const std::array<float, 3> weights{1 - hit.u - hit.v, hit.u, hit.v};
        Vec3f v;
        for (std::size_t k = 0; k < 3; ++k) {
            const float* at =
                motion->values.data() + 3 * static_cast<std::size_t>(liquid.mesh->triangles[hit.index][k]);
            v += Vec3f{at[0], at[1], at[2]} * weights[k];
        }
        place -= v * static_cast<float>(scene_.shutter * (static_cast<double>(time) - 0.5));
    }
    return liquid.foam->at(place);
}

float RayScene::to_ground(const Ray& ray) const {
    if (!ground_ || !(ray.direction.y < 0) || !(*ground_ < ray.origin.y)) return infinity;
    return (*ground_ - ray.origin.y) / ray.direction.y;
}

Hit RayScene::hit_of(const Met& met, const Ray& ray) const {
    if (met.hit.geomID != RTC_INVALID_GEOMETRY_ID) return make_hit(met.hit, met.distance, ray);
    Hit hit;
    if (met.distance == infinity) return hit;
    hit.body = Body::ground;
    hit.distance = met.distance;
    hit.normal = hit.face = {0, 1, 0};
    return hit;
}

Hit RayScene::trace(const Ray& ray) const {
    const RTCRayHit met = intersect(scene_of_rays_.get(), ray, 0, to_ground(ray), all_bodies);
    return hit_of({met.hit, met.ray.tfar}, ray);
}

void RayScene::trace(std::span<const Ray> rays, std::span<Met> met) const {
    constexpr std::size_t width = 8;
    SPINDRIFT_CHECK(rays.size() == met.size());
    for (std::size_t first = 0; first < rays.size(); first += width) {
        const std::size_t count = std::min(width, rays.size() - first);
        alignas(32) int valid[width];
        RTCRayHit8 packet;
        for (std::size_t k = 0; k < width; ++k) {
            valid[k] = k < count ? -1 : 0;
            const Ray& ray = rays[first + std::min(k, count - 1)];
            packet.ray.org_x[k] = ray.origin.x, packet.ray.org_y[k] = ray.origin.y, packet.ray.org_z[k] = ray.origin.z;
            packet.ray.dir_x[k] = ray.direction.x, packet.ray.dir_y[k] = ray.direction.y;
            packet.ray.dir_z[k] = ray.direction.z;
            packet.ray.tnear[k] = 0, packet.ray.tfar[k] = to_ground(ray), packet.ray.time[k] = ray.time;
            packet.ray.mask[k] = all_bodies, packet.ray.id[k] = 0, packet.ray.flags[k] = 0;
            packet.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
        }
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
        rtcIntersect8(valid, scene_of_rays_.get(), &context, &packet);
        for (std::size_t k = 0; k < count; ++k) {
            RTCHit& hit = met[first + k].hit;
            hit.geomID = packet.hit.geomID[k], hit.primID = packet.hit.primID[k];
            hit.u = packet.hit.u[k], hit.v = packet.hit.v[k];
            hit.Ng_x = packet.hit.Ng_x[k], hit.Ng_y = packet.hit.Ng_y[k], hit.Ng_z = packet.hit.Ng_z[k];
            met[first + k].distance = packet.ray.tfar[k];
        }
    }
}

Hit RayScene::touching(const Hit& hit, const Ray& ray) const {
    // A look from a little before the surface finds what lies exactly on it.
    const float gap = contact_radii * radius_ / std::max(0.2f, -dot(hit.face, ray.direction));
    const float start = std::max(0.f, hit.distance - 0.1f * gap);
    const Ray near{ray.origin + ray.direction * start, ray.direction, ray.time};
    const float far = 1.1f * gap, ground = to_ground(near);
    Met met;
    met.distance = ground <= far ? ground : infinity;
    if (has_matte_) {
        const RTCRayHit body = intersect(scene_of_rays_.get(), near, 0, std::min(far, ground), matte_bodies);
        if (is_met(body)) met = {body.hit, body.ray.tfar};
    }
    Hit touched = hit_of(met, near);
    touched.distance += start;
    return touched;
}

float RayScene::lift_at(Vec3f point) const {
    // Rounding at a point grows with its distance from the eye; a thousandth of a particle is below what can be seen.
    return 1e-3f * radius_ + 4 * std::numeric_limits<float>::epsilon() * length(point);
}

Ray RayScene::leave(Vec3f point, Vec3f face, Vec3f direction, float time) const {
    return {point + face * lift_at(point), direction, time};
}

bool RayScene::is_hidden(Vec3f point, Vec3f face, const Ray& toward) const {
    const Ray way = leave(point, face, toward.direction, toward.time);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray = make_ray(way, 0, infinity, all_bodies);
    rtcOccluded1(scene_of_rays_.get(), &context, &ray);
    return ray.tfar < 0;
}

}  // namespace spindrift::render
