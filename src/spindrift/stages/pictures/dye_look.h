#pragma once
// Colour inside of clear liquids, from a channel of the particles.
//
//   std::unique_ptr<render::Dye> dye = make_dye(scene, particles, camera.target, 0.6f);
//   for (render::LiquidBody& body : picture.liquids) body.dye = dye.get();

#include <memory>

#include "spindrift/particles/channel_array.h"
#include "spindrift/render/dye.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// Of render.dye, in the coordinates of pictures moved by `-origin`; nullptr if there is none. `clarity` is the depth
/// that has the colours, unless the liquid says otherwise. Throws UsageError for a channel that the particles do not
/// have.
std::unique_ptr<render::Dye> make_dye(const Scene& scene, const ChannelSet& particles, Vec3d origin, float clarity);

}  // namespace spindrift::stages
