#include "spindrift/collision/fields/volume_samples.h"

#include <algorithm>

namespace spindrift::collision {

namespace {

/// Two cells along each axis.
constexpr int group = 2, groups = brick_cells / group;

/// Share of the cell around a point that is solid, taking the surface for flat.
float solid_share(float distance) {
    return std::clamp(0.5f - distance, 0.f, 1.f);
}

void add_group(const FieldView& view, Vec3f corner, VolumeSamples& out) {
    Float4 cells[group * group * group];
    int full = 0;
    for (int k = 0; k < group * group * group; ++k) {
        const Vec3f at = corner + Vec3f{float(k & 1), float(k >> 1 & 1), float(k >> 2)} + Vec3f{0.5f, 0.5f, 0.5f};
        const float distance = sample_distance(view, at);
        out.deepest = std::max(out.deepest, -distance);
        cells[k] = {at.x, at.y, at.z, solid_share(distance)};
        full += cells[k].w == 1;
    }
    if (full == group * group * group) {
        out.points.push_back({corner.x + 1, corner.y + 1, corner.z + 1, float{group * group * group}});
        return;
    }
    for (const Float4& cell : cells) {
        if (cell.w > 0) out.points.push_back(cell);
    }
}

}  // namespace

VolumeSamples sample_volume(const Field& field, double volume) {
    VolumeSamples samples;
    const FieldView view = field.view();
    for (std::size_t block = 0; block < field.table.size(); ++block) {
        if (field.table[block] == free_block) continue;
        const auto b = static_cast<int>(block);
        const Vec3i low =
            Vec3i{b % field.bricks.x, b / field.bricks.x % field.bricks.y, b / field.bricks.x / field.bricks.y} *
            brick_cells;
        for (int k = 0; k < groups * groups * groups; ++k) {
            const Vec3i at{k % groups, k / groups % groups, k / groups / groups};
            add_group(view, vec_cast<float>(low + at * group), samples);
        }
    }
    double sum = 0;
    for (const Float4& point : samples.points)
        sum += static_cast<double>(point.w);
    if (volume <= 0 || sum == 0) return samples;
    const auto scale = static_cast<float>(volume / (sum * field.cell * field.cell * field.cell));
    for (Float4& point : samples.points)
        point.w *= scale;
    return samples;
}

}  // namespace spindrift::collision
