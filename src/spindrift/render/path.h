#pragma once
// Paths of light, followed from the camera.
//
//   PathTracer tracer(rays, light, paint, photons, effort_of(params), inside_at(rays, {}));
//   Decisions decisions(sampler, k);
//   Sample seen = tracer.follow(ray, rays.trace(ray), decisions);

#include <cstdint>

#include "spindrift/render/crossing.h"
#include "spindrift/render/light.h"
#include "spindrift/render/photons.h"
#include "spindrift/render/quality.h"
#include "spindrift/render/ray_scene.h"
#include "spindrift/render/sampling.h"
#include "spindrift/render/surface_color.h"

namespace spindrift::render {

/// Light of one sample. That of matte surfaces is kept apart from their colours, which smoothing is to keep sharp.
struct Sample {
    Vec3f clear{};            ///< from the sky, straight, mirrored or bent, and what media send on
    Vec3f matte{};            ///< from matte surfaces
    Vec3f albedo{};           ///< their colours, as far as they are seen
    Vec3f point{}, normal{};  ///< where they are, from the eye, weighted by
    float weight = 0;         ///< how much of them is seen
    float unlit = 0;          ///< share that shows the sky straight away
};

/// The numbers that a sample draws, one pair after the other.
class Decisions {
  public:
    Decisions(const PixelSampler& sampler, std::uint32_t sample) : sampler_(sampler), sample_(sample) {}
    Pair next() { return sampler_.pair(sample_, decision_++); }

  private:
    PixelSampler sampler_;
    std::uint32_t sample_, decision_ = 0;
};

class PathTracer {
  public:
    PathTracer(const RayScene& rays, const Light& light, const Paint& paint, const PhotonMap& photons,
               const Effort& effort, const Inside& eye)
        : rays_(rays), light_(light), paint_(paint), photons_(photons), effort_(effort), eye_(eye) {}

    /// `first` is what the ray from the camera meets. Adds the rays it traced to `rays`.
    Sample follow(const Ray& ray, const Hit& first, Decisions& decisions, std::uint64_t& rays) const;

  private:
    struct Walk;
    void look(Walk& walk, Hit hit, bool splits) const;
    bool look_through(Walk& walk, const Hit& hit, Vec3f point) const;
    bool turns_back(Walk& walk, const Hit& hit, const Border& border, bool& splits) const;
    bool enter(Walk& walk, const Hit& hit, const Border& border, Vec3f point) const;
    void veil(Walk& walk, const Hit& hit) const;
    Vec3f light_in_fog(Walk& walk, Vec3f point) const;
    void end(Walk& walk, const Hit& hit, Vec3f point) const;
    void end_in(Walk& walk, const Hit& hit, Vec3f point, Vec3f albedo, float share) const;
    Vec3f sunlight(Walk& walk, const Hit& hit, Vec3f point) const;
    Vec3f light_on(Walk& walk, const Hit& hit, Vec3f point) const;
    Vec3f gather(Walk walk, int bounces) const;
    Vec3f clamped(Vec3f light) const;

    const RayScene& rays_;
    const Light& light_;
    const Paint& paint_;
    const PhotonMap& photons_;
    Effort effort_;
    Inside eye_;
};

}  // namespace spindrift::render
