#pragma once
// Bodies as triangles.
//
//   geometry::Mesh crate = read_shape(scene.body[0], scene_folder);

#include <cstddef>
#include <filesystem>

#include "spindrift/bodies/params.h"
#include "spindrift/collision/fields/make_field.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::bodies {

/// A body's mesh in its own space, scaled; files are relative to the folder. Throws IoError.
geometry::Mesh read_shape(const BodyParams& params, const std::filesystem::path& folder);

/// The triangles whose points frames hold: the same, but those of soft solids are cut where they are larger than its
/// cells.
geometry::Mesh read_surface(const BodyParams& params, const std::filesystem::path& folder);

/// The distance field that liquid meets of a body of some size, of no matter if it deforms. `index` tells those without
/// names apart in messages; the spacing is the finest liquid's and the support radius the largest, both in m.
collision::FieldSettings field_settings(const BodyParams& params, std::size_t index, Vec3d size, double spacing,
                                        double support);

}  // namespace spindrift::bodies
