#pragma once
// Distance fields of meshes, broken ones included.
//
// Distances are exact: of all triangles near a brick those that can be nearest to a node are tested. What is inside
// comes from OpenVDB's flood fill, which minds neither winding nor doubled or crossing faces.
//
//   FieldSettings settings{.cell = 0.01, .mode = Mode::solid_outside, .band = 0.06, .depth = 0.03, .name = "cup"};
//   Field field = make_field(mesh, settings);
//   if (!field.note.empty()) log_warning(field.note);

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/field_settings.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// The field in the mesh's own space. A solid that has holes becomes a shell (`closed` is false), and so does one that
/// is too thin for its cells; where only parts are thin or open, those become a shell. `note` says so.
/// Points are finite and indices valid (geometry/clean). Throws Error when it would take too much memory.
Field make_field(const geometry::Mesh& mesh, const FieldSettings& settings);

}  // namespace spindrift::collision
