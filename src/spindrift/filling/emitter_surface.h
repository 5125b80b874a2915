#pragma once
// The surface that liquid leaves, from the mesh or the collider that an emitter names.
//
//   std::shared_ptr<emitters::EmitterSkin> skin = make_surface(scene, scene.emitter[0], 0.01, seed);

#include <cstdint>
#include <memory>

#include "spindrift/emitters/emitter_skin.h"
#include "spindrift/scene/scene.h"

namespace spindrift::filling {

/// Nothing if the emitter is not a surface. Throws IoError if a file cannot be used, OutOfMemoryError if it is too
/// large for the spacing.
std::shared_ptr<emitters::EmitterSkin> make_surface(const Scene& scene, const emitters::EmitterParams& emitter,
                                                    double spacing, std::uint64_t seed);

}  // namespace spindrift::filling
