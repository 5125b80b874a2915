#pragma once
// What is seen in a clear liquid: what its surface mirrors, and what lies in it and behind it.
//
//   LiquidView view = look_at_liquid(scene, stage, direction, hit);
//   for (const LiquidView::End& end : view.seen()) add_light(end.hit, end.point, end.direction, end.weight);
//   pixel.emitted += view.light;

#include <array>
#include <cstddef>
#include <span>

#include "spindrift/render/render.h"
#include "spindrift/render/stage.h"

namespace spindrift::render {

struct LiquidView {
    /// A body or the floor, seen in the liquid.
    struct End {
        Hit hit;
        Vec3f point, direction;
        Vec3f weight;    ///< share of its light that arrives
        float distance;  ///< along the way from the eye
    };

    Vec3f light;  ///< from the sky and the sun, and what the liquid scatters
    std::array<End, 2> ends{};
    std::size_t count = 0;

    std::span<const End> seen() const { return {ends.data(), count}; }
};

/// One mirrored ray, and one that is bent through as many surfaces as it meets, up to eight. `hit` is what a ray from
/// the eye meets first, of a clear liquid.
LiquidView look_at_liquid(const RenderScene& scene, const Stage& stage, Vec3f direction, const Hit& hit);

}  // namespace spindrift::render
