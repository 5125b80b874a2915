#pragma once
// The inside of a solid as points with volumes: what an integral over the solid needs.
//
//   VolumeSamples inside = sample_volume(field, 1e-3);        // of a litre
//   Vec3f x = wall.back(inside.points[0].xyz());              // where a point is

#include <vector>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/core/vec.h"

namespace spindrift::collision {

struct VolumeSamples {
    std::vector<Float4> points;  ///< in cells from the table's low corner; w is the volume in cells
    float deepest = 0;           ///< largest distance of any from the surface, in cells
};

/// Points no farther apart than two cells, one cell near the surface, whose volumes add up to `volume` (m^3), or to
/// what the field encloses if that is 0.
VolumeSamples sample_volume(const Field& field, double volume = 0);

}  // namespace spindrift::collision
