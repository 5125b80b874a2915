#pragma once
// The colours of what rays meet.
//
//   Paint paint(scene, view, image::color_map("speed"), {0, 4});
//   Vec3f albedo = paint(hit, point, direction, distance);

#include <array>

#include "spindrift/image/color_map.h"
#include "spindrift/render/ray_scene.h"

namespace spindrift::render {

class Paint {
  public:
    Paint(const RenderScene& scene, const geometry::View& view, const image::ColorMap& map, std::array<double, 2> range)
        : scene_(scene), view_(view), map_(map), range_(range) {}

    /// Share of light that a matte surface sends back. `distance` is that along the way from the eye: patterns that are
    /// finer than a pixel are blurred.
    Vec3f operator()(const Hit& hit, Vec3f point, Vec3f direction, float distance) const;

    /// What one face of glass leaves of light.
    Vec3f tint(const Hit& hit) const;

    /// What a pixel of the layer `id` says.
    std::uint32_t id(const Hit& hit) const;

  private:
    Vec3f floor(Vec3f point, Vec3f direction, float distance) const;
    Vec3f mesh(const MeshBody& body, const Hit& hit) const;
    Vec3f liquid(const LiquidBody& body, const Hit& hit) const;

    const RenderScene& scene_;
    const geometry::View& view_;
    const image::ColorMap& map_;
    std::array<double, 2> range_;
};

}  // namespace spindrift::render
