#pragma once
// The colour of a mesh where a ray meets it.
//
//   Vec3f color = surface_color(scene.meshes[hit.mesh], hit);
//   Vec3f wine = face_color(scene.liquids[hit.mesh], hit);

#include "spindrift/render/render.h"
#include "spindrift/render/stage.h"

namespace spindrift::render {

/// Darker where the wet texture says so.
Vec3f surface_color(const MeshBody& body, const Hit& hit);

/// Of the liquid behind a triangle, or of the one before it where air is behind: sharp where liquids meet.
Vec3f face_color(const LiquidBody& body, const Hit& hit);

}  // namespace spindrift::render
