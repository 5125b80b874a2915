#pragma once
// Keeps what a projection moves, at most neighbors::largest_move, out of walls with distance fields.
//
//   const bool beside = is_beside_field(walls, leaf, width);        // for each leaf
//   if (beside) keep_out_of_fields(walls, before, x[p]);

#include <algorithm>

#include "spindrift/collision/walls/walls.h"
#include "spindrift/core/vec.h"
#include "spindrift/neighbors/leaf_grid.h"

namespace spindrift::pbf {

/// Solids and shells are two cells thick or more: what moves less than that into one comes out where it went in.
inline bool may_be_crossed(const collision::WallField& field) {
    return 0.8f * field.cell < neighbors::largest_move;
}

inline void keep_out_of_fields(const collision::Walls& walls, const Float4& from, Float4& to) {
    Vec3f end = to.xyz();
    collision::WallHit hit;
    for (const collision::WallField& field : walls.fields) {
        if (may_be_crossed(field) && !field.is_clear(from.xyz(), end, collision::Start::now))
            field.trace(from.xyz(), end, collision::Start::now, hit);
    }
    to = {end.x, end.y, end.z, to.w};
}

/// Whether a leaf of some width is near a field that its particles might be moved through.
inline bool is_beside_field(const collision::Walls& walls, const neighbors::Leaf& leaf, float width) {
    const Vec3f low = vec_cast<float>(leaf.coord) * width;
    return std::any_of(walls.fields.begin(), walls.fields.end(), [&](const auto& field) {
        return may_be_crossed(field) && field.near(low, low + Vec3f{width, width, width}, neighbors::largest_move);
    });
}

}  // namespace spindrift::pbf
