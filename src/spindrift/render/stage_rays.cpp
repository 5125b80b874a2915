#include <array>
#include <limits>

#include "spindrift/render/stage.h"

namespace spindrift::render {

namespace {

/// Of two liquids, that light passes on its way; more are not looked at.
constexpr int most_borders = 8;

constexpr float infinity = std::numeric_limits<float>::infinity();

RTCRay make_ray(const Ray& from, float near, float far) {
    RTCRay ray{};
    ray.org_x = from.origin.x, ray.org_y = from.origin.y, ray.org_z = from.origin.z;
    ray.dir_x = from.direction.x, ray.dir_y = from.direction.y, ray.dir_z = from.direction.z;
    ray.tnear = near, ray.tfar = far;
    ray.mask = ~0u;
    return ray;
}

}  // namespace

Vec3f Stage::DrawnLiquid::normal(const Hit& hit) const {
    const std::array<float, 3> weights{1 - hit.u - hit.v, hit.u, hit.v};
    Vec3f mean;
    for (std::size_t k = 0; k < 3; ++k) {
        if (point_normals) {
            const float* n = point_normals + 3 * static_cast<std::size_t>(mesh->triangles[hit.index][k]);
            mean += Vec3f{n[0], n[1], n[2]} * weights[k];
        } else {
            mean += body.normals[hit.index][k] * weights[k];
        }
    }
    return vec_cast<float>(body.pose.turn(vec_cast<double>(mean)));
}

bool Stage::DrawnLiquid::is_between_liquids(const Hit& hit) const {
    constexpr std::uint8_t air = 255;
    return !sides.empty() && sides[hit.index][0] != air && sides[hit.index][1] != air;
}

/// With a normal that is bent where it can be.
Hit Stage::smoothed(Hit hit, const Vec3f& mean) const {
    const float size = length(mean);
    if (!(size > 0.1f)) return hit;
    hit.normal = dot(mean, hit.face) < 0 ? -mean / size : mean / size;
    return hit;
}

Hit Stage::make_hit(const RTCRayHit& ray, Vec3f direction) const {
    Hit hit{Body::solid, ray.hit.primID, ray.ray.tfar, {}, {}, 0, ray.hit.u, ray.hit.v};
    const Vec3f outward = normalize(Vec3f{ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z});
    hit.behind = dot(outward, direction) > 0;
    hit.face = hit.normal = hit.behind ? -outward : outward;
    if (ray.hit.geomID == particle_geometry) hit.body = Body::particle;
    if (ray.hit.geomID < first_mesh) return hit;

    hit.mesh = ray.hit.geomID - first_mesh;
    if (hit.mesh >= meshes_.size()) {
        hit.body = Body::liquid;
        hit.mesh -= static_cast<std::uint32_t>(meshes_.size());
        // Where several surfaces meet, normals at their points are none of any of them: the face's own is better.
        constexpr float likely = 0.75f;
        const Hit bent = smoothed(hit, liquids_[hit.mesh].normal(hit));
        return dot(bent.normal, bent.face) > likely ? bent : hit;
    }
    hit.body = Body::mesh;
    const DrawnMesh& mesh = meshes_[hit.mesh];
    const CornerNormals& corners = mesh.normals[hit.index];
    const Vec3f mean = corners[0] * (1 - hit.u - hit.v) + corners[1] * hit.u + corners[2] * hit.v;
    return smoothed(hit, vec_cast<float>(mesh.pose.turn(vec_cast<double>(mean))));
}

RTCRayHit Stage::intersect(RTCScene scene, const Ray& ray, float near, float far) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit met{make_ray(ray, near, far), {}};
    met.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &met);
    return met;
}

Hit Stage::trace_bodies(const Ray& ray, float far) const {
    const RTCRayHit met = intersect(bodies_.get(), ray, 0, far);
    const bool sees_ground = ground_ && ray.direction.y < 0 && *ground_ < ray.origin.y;
    const float to_ground = sees_ground ? (*ground_ - ray.origin.y) / ray.direction.y : infinity;
    if (to_ground < met.ray.tfar) return {Body::ground, 0, to_ground, {0, 1, 0}, {0, 1, 0}};
    if (met.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return make_hit(met, ray.direction);
}

Hit Stage::trace(const Ray& ray) const {
    const Hit body = trace_bodies(ray, infinity);
    if (!has_clear_) return body;
    const RTCRayHit met = intersect(clear_.get(), ray, 0, body.body == Body::none ? infinity : body.distance);
    return met.hit.geomID == RTC_INVALID_GEOMETRY_ID ? body : make_hit(met, ray.direction);
}

Hit Stage::trace_glass(Vec3f direction, float near, float far) const {
    if (!has_glass_) return {};
    const RTCRayHit met = intersect(glass_.get(), {{}, direction}, near, far);
    return met.hit.geomID == RTC_INVALID_GEOMETRY_ID ? Hit{} : make_hit(met, direction);
}

float Stage::lift_at(Vec3f point) const {
    // Rounding at a point grows with its distance from the eye; a thousandth of a particle is below what can be seen.
    return 1e-3f * radius_ + 4 * std::numeric_limits<float>::epsilon() * length(point);
}

Ray Stage::leave(Vec3f point, Vec3f face, Vec3f direction) const {
    return {point + face * lift_at(point), direction};
}

float Stage::light_from(Vec3f point, Vec3f face, Vec3f direction) const {
    const Ray way = leave(point, face, direction);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray = make_ray(way, 0, infinity);
    rtcOccluded1(bodies_.get(), &context, &ray);
    if (ray.tfar < 0) return 0;
    return has_clear_ ? through_liquid(way) : 1;
}

/// Light that meets a liquid straight on is gathered below it, light at its rims is sent elsewhere.
float Stage::through_liquid(const Ray& ray) const {
    float near = contact();
    for (int border = 0; border < most_borders; ++border) {
        const RTCRayHit met = intersect(clear_.get(), ray, near, infinity);
        if (met.hit.geomID == RTC_INVALID_GEOMETRY_ID) return 1;
        const Hit hit = make_hit(met, ray.direction);
        near = hit.distance * (1 + 1e-5f) + lift_at(ray.origin);
        if (liquids_[hit.mesh].is_between_liquids(hit)) continue;
        const float facing = dot(hit.normal, -ray.direction);
        return 0.35f + 0.65f * facing * facing;
    }
    return 1;
}

}  // namespace spindrift::render
