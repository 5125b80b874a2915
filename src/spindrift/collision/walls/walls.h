#pragma once
// Obstacles as the solver meets them in one step: the domain's box, solid boxes, half-spaces and distance fields, in
// the solver's units (support radii from the store's origin).
//
// A wall acts twice. Its share of a particle's support counts as density, so that liquid rests against it at rest
// density; and no particle may enter it. Source: collision record in docs/decisions/0005,
// fields in 0010.
//
//   Walls walls = make_walls(scene.domain, scene.collider, origin, h);
//   WallHit hit = walls.trace(x, x_star);       // x_star is where the particle may go

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spindrift/collision/params.h"
#include "spindrift/collision/walls/wall_field.h"
#include "spindrift/core/vec.h"

namespace spindrift::collision {

/// Axis-aligned box; liquid is inside (the domain) or outside (a solid). Open sides lie far away.
struct WallBox {
    float lo[3], hi[3];
    WallFinish surface;
    bool solid;
};

struct WallPlane {
    float normal[3];
    float offset;  ///< liquid is where normal . x > offset
    WallFinish surface;
};

/// Where an open side lies: beyond every coordinate the grid can hold.
inline constexpr float far_away = 4e6f;

struct Walls {
    std::vector<WallBox> boxes;
    std::vector<WallPlane> planes;

    std::vector<WallField> fields;

    bool empty() const { return boxes.empty() && planes.empty() && fields.empty(); }
    /// Whether there is nothing that takes momentum without giving it on: at most bodies that take part in the motion.
    bool are_free() const {
        return boxes.empty() && planes.empty() &&
               std::all_of(fields.begin(), fields.end(), [](const WallField& field) { return field.body >= 0; });
    }
    /// Whether any surface slows or holds what touches it.
    bool rough() const;
    bool sticky() const;

    /// Moves `to` so that the way from `from` crosses no wall and ends contact_gap off them, sliding along what it
    /// meets.
    WallHit trace(Vec3f from, Vec3f& to, Start start = Start::before_step) const;

    /// Whether the way is certainly free, so that trace() would change nothing: a few comparisons.
    bool is_clear(Vec3f from, Vec3f to, Start start = Start::before_step) const {
        if (!is_clear_of_plain(from, to)) return false;
        return std::all_of(fields.begin(), fields.end(),
                           [&](const WallField& field) { return field.is_clear(from, to, start); });
    }
    /// The same for boxes and planes only.
    bool is_clear_of_plain(Vec3f from, Vec3f to) const {
        for (const WallBox& box : boxes) {
            bool inside = true, apart = false;
            for (int a = 0; a < 3; ++a) {
                const float lo = std::min(from[a], to[a]), hi = std::max(from[a], to[a]);
                inside = inside & (to[a] >= box.lo[a] + contact_gap) & (to[a] <= box.hi[a] - contact_gap);
                apart = apart | (hi < box.lo[a] - contact_gap) | (lo > box.hi[a] + contact_gap);
            }
            if (box.solid ? !apart : !inside) return false;
        }
        for (const WallPlane& plane : planes) {
            const Vec3f n{plane.normal[0], plane.normal[1], plane.normal[2]};
            if (dot(n, to) - plane.offset < contact_gap) return false;
        }
        return true;
    }

    /// Whether any point of the box is within `reach` of a wall.
    bool near(Vec3f lo, Vec3f hi, float reach) const { return near_plain(lo, hi, reach) || near_field(lo, hi, reach); }
    /// The same for boxes and planes only, and for fields only.
    bool near_plain(Vec3f lo, Vec3f hi, float reach) const;
    bool near_field(Vec3f lo, Vec3f hi, float reach) const;

    /// The nearest wall within `reach` of a point that slows or holds what touches it.
    WallHit contact(Vec3f x, float reach) const;

    /// Tells walls that stand still from others; empty if any move.
    std::string state() const;

    /// Distance of a point from the nearest box or plane, negative inside; far_away if there is none.
    float distance_to_plain(Vec3f x) const;

    /// The wall that is nearest to a point, and what it does there.
    struct Nearest {
        float distance;
        Vec3f normal{}, velocity{};  ///< of the wall there; no normal if nothing is near
        WallFinish surface{};
        int body = -1;
    };
    Nearest nearest(Vec3f x) const;

    /// Whether a point is inside a wall that no body is, as walls stood before the step.
    bool are_entered(Vec3f x) const;

    /// Whether a point is free of walls, at least `gap` off them.
    bool is_free(Vec3f x, float gap) const;
};

/// Boxes and planes; colliders that need fields are left out (colliders.h).
Walls make_walls(const std::optional<DomainParams>& domain, std::span<const ColliderParams> colliders, Vec3d origin,
                 double h);

/// Velocity after touching a wall, which may move: Coulomb friction against the normal speed that it takes, then the
/// bounce.
Vec3f respond(Vec3f v, const WallHit& hit);

/// The same walls in a smaller unit of length.
Walls in_units_of(const Walls& walls, float h);

/// The same walls as they stood before the step. For looking at, not for trace(). Bodies that take part in the motion
/// stay where they are going: a pressure that knew only where they were would let them swing.
Walls as_before(const Walls& walls);

/// Velocity of a particle that touches a wall after dt seconds of stickiness: what leaves the wall is slowed.
Vec3f cling(Vec3f v, const WallHit& hit, float dt);

/// Coulomb friction: the wall pushed with `push` (a speed), so at most friction * push of the tangential speed goes.
Vec3f apply_friction(Vec3f v, Vec3f normal, float friction, float push);

}  // namespace spindrift::collision
