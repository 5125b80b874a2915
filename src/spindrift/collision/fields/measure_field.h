#pragma once
// The bricks of a field with plain distances to the triangles, before thickness and offset.
//
//   Field field = measure_field(layout, cells, wanted, solid);   // solid(node): whether the node is in the solid

#include <functional>
#include <string>

#include "spindrift/collision/fields/inside.h"
#include "spindrift/collision/fields/triangle_bins.h"

namespace spindrift::collision {

/// What is solid of a mesh; nothing if `inside` is null.
struct SolidSide {
    const Inside* inside = nullptr;
    Mode mode = Mode::shell;

    bool at(Vec3i node) const { return inside && inside->at(node) == (mode == Mode::solid_inside); }
    /// 1 for the solid ones of a brick's nodes.
    void mark(Vec3i low, std::uint8_t* solid) const;
    /// Whether there is a place for liquid about a cell away from the point.
    bool has_free_near(Vec3f p) const { return !inside || inside->near(p, mode == Mode::solid_outside); }
};

/// Distances to the wanted triangles are exact as far as the layout reaches, negative in the solid; the nearest
/// triangle of each node is given. `name` is the collider's, for words about how far it is.
Field measure_field(const FieldLayout& layout, const CellMesh& mesh, const std::vector<std::uint8_t>& wanted,
                    const SolidSide& side, const std::string& name);

}  // namespace spindrift::collision
