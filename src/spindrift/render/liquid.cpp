#include "spindrift/render/liquid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spindrift/render/optics.h"
#include "spindrift/render/studio.h"

namespace spindrift::render {

namespace {

constexpr int most_surfaces = 8;
constexpr Vec3f all_light{1, 1, 1};

/// Light that a liquid sends towards the eye for what it takes from the light behind it, so that deep liquid has its
/// colour and is not black.
constexpr float scattered = 0.42f;

/// The sky with the sun in it, not brighter than one sample of a pixel may be without sparkling.
Vec3f sky(Vec3f direction) {
    const float aligned = std::max(0.f, dot(direction, sun_direction));
    return background(direction) + sun_color * (24 * std::pow(aligned, 400.f));
}

/// A liquid, or air if it is none.
struct Medium {
    const LiquidBody* body = nullptr;
    std::size_t liquid = 0;

    Vec3f color() const { return body->colors[std::min(liquid, body->colors.size() - 1)]; }
    friend bool operator==(const Medium&, const Medium&) = default;
};

Medium side_of(const LiquidBody& body, const Hit& hit, bool behind) {
    constexpr std::uint8_t air = 255;
    const geometry::Sides sides = body.sides.empty() ? geometry::Sides{0, air} : body.sides[hit.index];
    const std::uint8_t liquid = sides[behind ? 0 : 1];
    return liquid == air ? Medium{} : Medium{&body, liquid};
}

/// Bends a direction that smoothed normals have sent to the wrong side of the face back along it.
Vec3f keep_beside(Vec3f direction, Vec3f face) {
    constexpr float least = 0.02f;
    const float beside = dot(direction, face);
    return beside >= least ? direction : normalize(direction + face * (least - beside));
}

class Walk {
  public:
    Walk(const RenderScene& scene, const Stage& stage) : scene_(scene), stage_(stage) {}

    LiquidView look(Vec3f direction, const Hit& hit) {
        const Vec3f point = direction * hit.distance;
        travelled_ = hit.distance;
        const Border border = border_at(hit, direction);
        if (border.mirrored < 1)
            follow(through(hit, point, direction, border), all_light * (1 - border.mirrored), border.far);
        travelled_ = hit.distance;
        if (border.mirrored > 0) follow(mirror(hit, point, direction), all_light * border.mirrored, border.near);
        return view_;
    }

  private:
    /// What two media do to a ray.
    struct Border {
        Medium near, far;
        float ratio = 1, mirrored = 0;
    };

    Border border_at(const Hit& hit, Vec3f direction) const {
        const LiquidBody& body = scene_.liquids[hit.mesh];
        Border border{side_of(body, hit, hit.behind), side_of(body, hit, !hit.behind)};
        if (!border.near.body && border.far.body) border.ratio = 1 / water_index;
        if (border.near.body && !border.far.body) border.ratio = water_index;
        if (border.ratio != 1) border.mirrored = fresnel(facing(hit, direction), border.ratio);
        return border;
    }

    static float facing(const Hit& hit, Vec3f direction) { return -dot(hit.normal, direction); }

    Ray mirror(const Hit& hit, Vec3f point, Vec3f direction) const {
        return stage_.leave(point, hit.face, keep_beside(reflect(direction, hit.normal), hit.face));
    }

    Ray through(const Hit& hit, Vec3f point, Vec3f direction, const Border& border) const {
        const Vec3f bent =
            border.ratio == 1 ? direction : refract(direction, hit.normal, border.ratio).value_or(direction);
        return stage_.leave(point, -hit.face, keep_beside(bent, -hit.face));
    }

    /// Goes on through surfaces until a body or the sky is met; at each the stronger of both ways is taken.
    void follow(Ray ray, Vec3f weight, Medium medium) {
        for (int surface = 0; surface < most_surfaces; ++surface) {
            const Hit hit = stage_.trace(ray);
            if (hit.body == Body::none) return add(product(weight, sky(ray.direction)));
            const Border border = is_clear(hit) ? border_at(hit, ray.direction) : Border{medium, medium};
            weight = absorbed(weight, border.near, hit.distance);
            travelled_ += hit.distance;
            const Vec3f point = ray.origin + ray.direction * hit.distance;
            if (!is_clear(hit)) return end(hit, point, ray.direction, weight);
            if (const Hit touched = touching(hit, ray, border); touched.body != Body::none)
                return end(touched, ray.origin + ray.direction * touched.distance, ray.direction, weight);
            medium = border.far;
            if (border.mirrored == 1) {
                medium = border.near;
                ray = mirror(hit, point, ray.direction);
                continue;
            }
            if (!border.near.body && border.mirrored > 0) {
                add(product(weight, background(reflect(ray.direction, hit.normal))) * border.mirrored);
                weight *= 1 - border.mirrored;
            }
            ray = through(hit, point, ray.direction, border);
        }
        add(product(weight, sky_color) * 0.5f);
    }

    bool is_clear(const Hit& hit) const { return hit.body == Body::liquid && scene_.liquids[hit.mesh].is_clear(); }

    /// What liquid lies on, at a distance from the ray's origin: there is no air between them to bend light. A look
    /// from a little before the surface finds what lies exactly on it.
    Hit touching(const Hit& hit, const Ray& ray, const Border& border) const {
        if (!border.near.body || border.far.body) return {};
        const float gap = stage_.contact() / std::max(0.2f, -dot(hit.face, ray.direction));
        const float start = std::max(0.f, hit.distance - 0.1f * gap);
        Hit touched = stage_.trace_bodies({ray.origin + ray.direction * start, ray.direction}, 1.1f * gap);
        touched.distance += start;
        return touched.body != Body::none && touched.distance < hit.distance + gap ? touched : Hit{};
    }

    /// What is left after a way through a medium, which adds what it scatters.
    Vec3f absorbed(Vec3f weight, const Medium& medium, float distance) {
        if (!medium.body) return weight;
        const float depths = distance / medium.body->clarity;
        const Vec3f color = medium.color();
        for (int c = 0; c < 3; ++c) {
            const float left = std::pow(std::clamp(color[c], 0.002f, 1.f), depths);
            view_.light[c] += weight[c] * (1 - left) * color[c] * scattered;
            weight[c] *= left;
        }
        return weight;
    }

    void add(Vec3f light) { view_.light += light; }

    void end(const Hit& hit, Vec3f point, Vec3f direction, Vec3f weight) {
        if (view_.count < view_.ends.size()) view_.ends[view_.count++] = {hit, point, direction, weight, travelled_};
    }

    const RenderScene& scene_;
    const Stage& stage_;
    float travelled_ = 0;
    LiquidView view_;
};

}  // namespace

LiquidView look_at_liquid(const RenderScene& scene, const Stage& stage, Vec3f direction, const Hit& hit) {
    return Walk(scene, stage).look(direction, hit);
}

}  // namespace spindrift::render
