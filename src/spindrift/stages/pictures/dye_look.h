#pragma once
// Colour inside of clear liquids, from what they are mixed of or from a channel of the particles.
//
//   std::unique_ptr<render::Dye> dye = make_dye(scene, particles, camera.target, 0.6f);
//   for (render::LiquidBody& body : picture.liquids) body.dye = dye.get();

#include <memory>
#include <vector>

#include "spindrift/particles/channel_array.h"
#include "spindrift/render/dye.h"
#include "spindrift/scene/scene.h"

namespace spindrift::stages {

/// What render.dye says to have none.
inline constexpr const char* no_dye = "none";

/// Whether liquids have colours within: of render.dye, or of what they are mixed of.
bool has_dye(const Scene& scene);

/// Of render.dye or of mixtures, in the coordinates of pictures moved by `-origin`; nullptr if there is none. `clarity`
/// is the depth that has the colours, unless the liquid says otherwise. Throws UsageError for a channel that the
/// particles do not have.
std::unique_ptr<render::Dye> make_dye(const Scene& scene, const ChannelSet& particles, Vec3d origin, float clarity);

/// Index of refraction of each liquid: of mixtures the mean of what their particles are mixed of, since light is bent
/// at surfaces alone. Empty without components.
std::vector<float> mixture_iors(const Scene& scene, const ChannelSet& particles);

}  // namespace spindrift::stages
