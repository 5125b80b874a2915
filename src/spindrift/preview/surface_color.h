#pragma once
// The colour of a mesh where a ray meets it.
//
//   Vec3f color = surface_color(scene.meshes[hit.mesh], hit);

#include "spindrift/preview/render.h"
#include "spindrift/preview/stage.h"

namespace spindrift::preview {

/// Darker where the wet texture says so.
Vec3f surface_color(const MeshBody& body, const Hit& hit);

}  // namespace spindrift::preview
