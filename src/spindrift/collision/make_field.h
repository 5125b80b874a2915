#pragma once
// Distance fields of meshes, broken ones included.
//
// Distances are exact: of all triangles near a brick those that can be nearest to a node are tested. What is inside
// comes from OpenVDB's flood fill, which minds neither winding nor doubled or crossing faces.
//
//   FieldSettings settings{.cell = 0.01, .mode = Mode::solid_outside, .band = 0.06, .depth = 0.03, .name = "cup"};
//   Field field = make_field(mesh, settings);
//   if (!field.note.empty()) log_warning(field.note);

#include <cstddef>
#include <string>

#include "spindrift/collision/field.h"
#include "spindrift/collision/params.h"
#include "spindrift/geometry/mesh.h"

namespace spindrift::collision {

/// A sheet between nodes has no node at distance 0: thinner skins than twice this, in cells, would have holes.
inline constexpr float least_half_thickness = 0.9f;

/// How far from the surface distances must be known, in support radii: the coarse projection looks two radii far, and
/// clusters are found by their middle.
inline constexpr double band_radii = 2.4, depth_radii = 1.6;

struct FieldSettings {
    double cell = 0;  ///< m
    Mode mode = Mode::solid_inside;
    double thickness = 0;          ///< of a shell, m; 0 is the least that holds
    double offset = 0;             ///< m, outwards out of the solid
    double band = 0;               ///< m on the liquid's side where distances must be right; at least 2 cells
    double depth = 0;              ///< m inside the solid, the same
    bool primitives = false;       ///< keep the nearest triangle of each node
    std::string name = "mesh";     ///< for messages
    std::size_t memory_limit = 0;  ///< bytes while it is made; 0 is half of the machine's memory
};

/// The field in the mesh's own space. A solid that has holes becomes a shell (`closed` is false), and so does one that
/// is too thin for its cells; where only parts are thin or open, those become a shell. `note` says so.
/// Points are finite and indices valid (geometry/clean). Throws Error when it would take too much memory.
Field make_field(const geometry::Mesh& mesh, const FieldSettings& settings);

}  // namespace spindrift::collision
