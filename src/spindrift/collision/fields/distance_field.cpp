#include "spindrift/collision/fields/distance_field.h"

namespace spindrift::collision {

namespace {

int floor_to_int(float a) {
    const int truncated = static_cast<int>(a);
    return truncated - (static_cast<float>(truncated) > a);
}

template <class T>
T blend(T a, T b, float t) {
    return a + (b - a) * t;
}

template <class T>
T interpolate_nodes(const T* nodes, const FieldPlace& place) {
    const T* n = nodes + static_cast<std::size_t>(place.brick) * brick_nodes + place.node;
    constexpr int y = brick_side, z = brick_side * brick_side;
    const auto [tx, ty, tz] = place.in_cell;
    const T low = blend(blend(n[0], n[1], tx), blend(n[y], n[y + 1], tx), ty);
    const T high = blend(blend(n[z], n[z + 1], tx), blend(n[z + y], n[z + y + 1], tx), ty);
    return blend(low, high, tz);
}

}  // namespace

FieldPlace find_place(const FieldView& field, Vec3f at) {
    int block[3], node[3];
    float rest[3];
    for (int a = 0; a < 3; ++a) {
        // Beyond every table; also where a coordinate is no number.
        if (!(at[a] >= 0) || !(at[a] < static_cast<float>(field.bricks[a] * brick_cells))) return {field.beyond, 0, {}};
        const int cell = floor_to_int(at[a]);
        block[a] = cell / brick_cells;
        node[a] = cell % brick_cells;
        rest[a] = at[a] - static_cast<float>(cell);
    }
    const std::int32_t brick = field.table[(block[2] * field.bricks[1] + block[1]) * field.bricks[0] + block[0]];
    return {brick, (node[2] * brick_side + node[1]) * brick_side + node[0], {rest[0], rest[1], rest[2]}};
}

FieldSample sample(const FieldView& field, Vec3f at) {
    const FieldPlace place = find_place(field, at);
    if (place.brick < 0) return {place.brick == free_block ? field.free_distance : field.solid_distance, {}};
    const float* n = field.distance + static_cast<std::size_t>(place.brick) * brick_nodes + place.node;
    constexpr int y = brick_side, z = brick_side * brick_side;
    const auto [tx, ty, tz] = place.in_cell;
    const float x00 = blend(n[0], n[1], tx), x10 = blend(n[y], n[y + 1], tx);
    const float x01 = blend(n[z], n[z + 1], tx), x11 = blend(n[z + y], n[z + y + 1], tx);
    const float low = blend(x00, x10, ty), high = blend(x01, x11, ty);
    const float dx =
        blend(blend(n[1] - n[0], n[y + 1] - n[y], ty), blend(n[z + 1] - n[z], n[z + y + 1] - n[z + y], ty), tz);
    return {blend(low, high, tz), {dx, blend(x10 - x00, x11 - x01, tz), high - low}};
}

float sample_distance(const FieldView& field, Vec3f at) {
    const FieldPlace place = find_place(field, at);
    if (place.brick < 0) return place.brick == free_block ? field.free_distance : field.solid_distance;
    return interpolate_nodes(field.distance, place);
}

float interpolate(const float* nodes, const FieldPlace& place) {
    return interpolate_nodes(nodes, place);
}

Vec3f interpolate(const Vec3f* nodes, const FieldPlace& place) {
    return interpolate_nodes(nodes, place);
}

}  // namespace spindrift::collision
