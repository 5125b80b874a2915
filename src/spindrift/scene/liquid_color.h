#pragma once
// The colour of each liquid, in pictures and in the channel Cd.
//
//   Vec3f blue = liquid_color(scene, 0);

#include <cstddef>

#include "spindrift/core/vec.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

/// One of the palette, which repeats.
Vec3f palette_color(std::size_t index);

/// Colours that liquids have by default before they repeat.
inline constexpr std::size_t palette_size = 10;

/// Linear RGB of the scene's liquid of this index: the one it was given, or one of a palette in which neighbours differ
/// most. The first of the palette is water's blue.
Vec3f liquid_color(const Scene& scene, std::size_t index);

}  // namespace spindrift
