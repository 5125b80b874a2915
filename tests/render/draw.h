#pragma once
// Pictures without their layers.

#include "spindrift/render/render.h"

namespace spindrift::render {

inline Image draw(const RenderScene& scene, const geometry::Camera& camera, const RenderParams& params) {
    return render(scene, camera, params).image;
}

}  // namespace spindrift::render
