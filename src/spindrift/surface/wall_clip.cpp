#include "spindrift/surface/wall_clip.h"

#include <algorithm>
#include <cmath>

namespace spindrift::surface {

namespace {

using collision::WallBox;
using collision::WallField;
using collision::WallPlane;
using collision::Walls;

/// Calls f(distance, normal) for each box and plane. A box that holds liquid is six walls.
template <class F>
void for_plain_walls(const Walls& walls, Vec3f x, const F& f) {
    for (const WallBox& box : walls.boxes) {
        if (!box.solid) {
            for (int a = 0; a < 3; ++a) {
                Vec3f n{};
                n[a] = 1;
                f(x[a] - box.lo[a], n);
                f(box.hi[a] - x[a], -n);
            }
            continue;
        }
        // Outside of a solid box the distance to its nearest point, inside to its nearest face.
        Vec3f out{}, n{};
        float deepest = -INFINITY;
        for (int a = 0; a < 3; ++a) {
            const float below = box.lo[a] - x[a], above = x[a] - box.hi[a];
            out[a] = above > 0 ? above : below > 0 ? -below : 0;
            if (std::max(below, above) <= deepest) continue;
            deepest = std::max(below, above);
            n = {};
            n[a] = above > below ? 1.f : -1.f;
        }
        if (deepest > 0)
            f(length(out), normalize(out));
        else
            f(deepest, n);
    }
    for (const WallPlane& plane : walls.planes) {
        const Vec3f n{plane.normal[0], plane.normal[1], plane.normal[2]};
        f(dot(n, x) - plane.offset, n);
    }
}

template <class F>
void for_walls(const Walls& walls, Vec3f x, const F& f) {
    for_plain_walls(walls, x, f);
    for (const WallField& field : walls.fields) {
        const collision::FieldSample sample = field.distance(x);
        f(sample.distance, sample.gradient);
    }
}

}  // namespace

float clipped(const Walls& walls, Vec3f x, float phi, const WallClip& clip, float edge) {
    float least = INFINITY, second = INFINITY;
    const auto meet = [&](float distance) {
        second = std::min(second, std::max(distance, least));
        least = std::min(least, distance);
    };
    for_plain_walls(walls, x, [&](float distance, Vec3f) { meet(distance); });
    for (const WallField& field : walls.fields)
        meet(field.distance_only(x));
    const auto within = [](float reach, float distance) { return std::clamp(reach - distance, 0.f, reach); };
    const float at_wall = 0.6f * within(clip.wall_reach(), least);
    const float at_edge = edge * 0.8f * std::sqrt(within(clip.edge_reach(), least) * within(clip.edge_reach(), second));
    return std::max(phi - at_wall - at_edge, clip.gap - least);
}

WallPlace wall_place(const Walls& walls, Vec3f x, float reach) {
    WallPlace place{.distance = INFINITY};
    for_walls(walls, x, [&](float distance, Vec3f normal) {
        if (distance < place.distance) place = {distance, normal, 0};
    });
    for_walls(walls, x, [&](float distance, Vec3f) { place.walls += distance < place.distance + reach; });
    return place;
}

}  // namespace spindrift::surface
