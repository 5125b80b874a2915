#pragma once
// Glass between the eye and what it looks at. Rays go straight through: the liquid stays where it is.
//
//   Glass glass = look_through_glass(scene, stage, direction, hit);
//   seen = glass.light + behind * glass.clear;

#include "spindrift/render/render.h"
#include "spindrift/render/stage.h"

namespace spindrift::render {

struct Glass {
    Vec3f light;      ///< that it adds: its own colour and what it mirrors
    float clear = 1;  ///< share of the light behind it that comes through
};

/// All faces of glass before a hit, or before infinity if there is none; after eight the rest is not seen.
Glass look_through_glass(const RenderScene& scene, const Stage& stage, Vec3f direction, const Hit& behind);

}  // namespace spindrift::render
