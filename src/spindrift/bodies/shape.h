#pragma once
// Bodies as triangles.
//
//   geometry::Mesh crate = read_shape(scene.body[0], scene_folder);

#include <filesystem>

#include "spindrift/bodies/params.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

/// A body's mesh in its own space, scaled; files are relative to the folder. Throws IoError.
geometry::Mesh read_shape(const BodyParams& params, const std::filesystem::path& folder);

}  // namespace spindrift::bodies
