#pragma once
// Parts of a solid that its cells do not resolve: walls thinner than about two cells, sheets, open ends.
// The trilinear field would have holes there, so they are given the thickness of a shell.
//
//   ThinParts thin = find_thin_parts(field, cells, wanted);
//   if (thin.share > 0) thicken(field, cells, thin, layout.half_thickness);

#include <vector>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/collision/fields/field_layout.h"

namespace spindrift::collision {

struct ThinParts {
    std::vector<std::uint8_t> triangle;  ///< 1 where some of the triangle is thin
    double share = 0;                    ///< of the wanted triangles' area
};

/// `field` has plain distances, as measure_field gives them, and triangles.
ThinParts find_thin_parts(const Field& field, const CellMesh& mesh, const std::vector<std::uint8_t>& wanted);

/// Distances to where the surface is thin become those of a shell.
void thicken(Field& field, const CellMesh& mesh, const ThinParts& thin, float half_thickness);

}  // namespace spindrift::collision
