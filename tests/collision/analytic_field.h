#pragma once
// Fields of shapes whose distance is a formula.
//
//   Field ball = field_of([](Vec3d p) { return length(p) - 0.5; }, {{-1, -1, -1}, {1, 1, 1}}, 0.05);

#include <cmath>

#include "spindrift/collision/fields/distance_field.h"

namespace spindrift::collision {

/// A brick for every block of the box; distances in metres, positive where liquid may be.
template <class Distance>
Field field_of(const Distance& distance, const Box3d& box, double cell, std::int32_t beyond = free_block) {
    Field field;
    field.cell = cell;
    field.beyond = beyond;
    field.band = field.depth = 1000;
    for (int a = 0; a < 3; ++a) {
        const int low = static_cast<int>(std::floor(box.lo[a] / cell / brick_cells));
        field.first[a] = low * brick_cells;
        field.bricks[a] = static_cast<int>(std::ceil(box.hi[a] / cell / brick_cells)) - low;
    }
    const int count = field.bricks.x * field.bricks.y * field.bricks.z;
    for (int b = 0; b < count; ++b) {
        field.table.push_back(b);
        const Vec3i block{b % field.bricks.x, b / field.bricks.x % field.bricks.y, b / field.bricks.x / field.bricks.y};
        const Vec3i corner = field.first + block * brick_cells;
        for (int n = 0; n < brick_nodes; ++n) {
            const Vec3i node = corner + Vec3i{n % 9, n / 9 % 9, n / 81};
            field.distance.push_back(static_cast<float>(distance(vec_cast<double>(node) * cell) / cell));
        }
    }
    return field;
}

/// Distance to the surface of a box, negative inside.
inline double box_distance(Vec3d p, const Box3d& box) {
    const Vec3d half = box.size() * 0.5, q = p - box.center();
    const Vec3d out{std::abs(q.x) - half.x, std::abs(q.y) - half.y, std::abs(q.z) - half.z};
    const Vec3d positive = max(out, Vec3d{});
    return length(positive) + std::min(0.0, std::max({out.x, out.y, out.z}));
}

}  // namespace spindrift::collision
