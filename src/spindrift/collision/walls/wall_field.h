#pragma once
// A collider given by a distance field, as it stands and moves during one step. Lengths in support radii from the
// store's origin, velocities in m/s.
//
// A step knows two poses: positions before the step meet the field as it stood then, positions after it as it stands
// now. The way between them, seen from the moving body, is a way through a field at rest: nothing tunnels, however far
// a paddle swings in one step.
//
//   WallField wall = place_field(field, {before, now}, {origin, h, dt});
//   Contact contact;
//   if (!wall.is_clear(from, to)) wall.trace(from, to, Start::before_step, contact);

#include <cstddef>

#include "spindrift/collision/fields/distance_field.h"
#include "spindrift/core/vec.h"
#include "spindrift/geometry/pose.h"

namespace spindrift::collision {

/// Distance that particles keep from a wall, in support radii: far below the first layer's, far above rounding.
inline constexpr float contact_gap = 0.01f;

/// What a surface does to what touches it.
struct WallFinish {
    float friction = 0, bounce = 0, stickiness = 0;
};

/// A wall that a particle met.
struct WallHit {
    bool hit = false;
    Vec3f normal{};
    WallFinish surface{};
    Vec3f velocity{};  ///< of the wall there
    int body = -1;     ///< WallField::body of the wall
};

/// x -> m x + b
struct Affine {
    float m[3][3];
    float b[3];

    Vec3f turn(Vec3f x) const {
        return {m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z, m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z,
                m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z};
    }
    Vec3f operator()(Vec3f x) const { return turn(x) + Vec3f{b[0], b[1], b[2]}; }
};

/// Whether a way begins where the wall stood before the step, or where it stands now.
enum class Start { before_step, now };

struct WallField {
    FieldView field{};
    Affine before{}, now{};  ///< from positions to cells
    Affine back{};           ///< from cells to positions, as the field stands now
    float cell = 1;          ///< in support radii
    float thickness = 0;     ///< of a shell; 0 for a solid
    Box3f bounds{};          ///< around all places where distances are known, before and now
    WallFinish surface{};
    const float *friction = nullptr, *bounce = nullptr, *stickiness = nullptr;  ///< shares at the field's nodes
    Vec3f velocity{}, spin{};                                                   ///< of a point x: velocity + spin x x
    Vec3f velocity_before{};             ///< instead of `velocity`, of points where they were before the step
    const Vec3f* deformation = nullptr;  ///< m/s at the field's nodes along the body's axes
    float shift = 0;                     ///< cells that 1 m/s of deformation moves in this step
    float most_shift = 0;                ///< cells that any deformation moves in this step
    float fastest = 0;                   ///< of its points
    int body = -1;                       ///< of a body that takes part in the liquid's motion: its number; else -1
    const Float4* inside = nullptr;      ///< of such a body: points in cells with volumes in cells
    std::size_t inside_count = 0;
    bool thin = false;            ///< whether liquid on one side is near liquid on the other
    bool presses = true;          ///< whether the pressure of the projection sees it; loose cloth is left to particles
    Start measured = Start::now;  ///< the moment of distances and velocities; trace() knows of both

    bool moves() const { return fastest > 0; }
    /// Distance in support radii and its direction of growth, which has unit length or is zero far away.
    FieldSample distance(Vec3f x) const;
    float distance_only(Vec3f x) const;
    /// Around the places where distances are known now, also where all beyond them is solid.
    Box3f known() const;
    Vec3f velocity_at(Vec3f x) const;
    WallFinish surface_at(Vec3f x) const;

    /// Whether trace() would change nothing; a few comparisons for most particles.
    bool is_clear(Vec3f from, Vec3f to, Start start) const;
    /// Moves `to` so that the way from `from` stays out of the solid and ends contact_gap off it, sliding along what it
    /// meets.
    void trace(Vec3f from, Vec3f& to, Start start, WallHit& hit) const;
    /// Whether a point was inside before the step, farther than distances are uncertain by.
    bool is_entered(Vec3f x) const;
    /// Whether the straight way between two points is free, both as the field stands now.
    bool sees(Vec3f a, Vec3f b) const;
    bool near(Vec3f lo, Vec3f hi, float reach) const;
    /// Whether anything of a box may be near: a few comparisons.
    bool may_reach(Vec3f lo, Vec3f hi, float reach) const {
        const Vec3f out{reach, reach, reach};
        return reaches(lo - out, hi + out);
    }

  private:
    Vec3f in_cells(Vec3f x, Start moment) const;
    bool reaches(Vec3f lo, Vec3f hi) const {
        return hi.x > bounds.lo.x && hi.y > bounds.lo.y && hi.z > bounds.lo.z && lo.x < bounds.hi.x &&
               lo.y < bounds.hi.y && lo.z < bounds.hi.z;
    }
};

/// The same in a smaller unit of length.
WallField in_units_of(const WallField& wall, float h);

/// The same with distances and velocities as they were before the step. For looking at, not for trace().
WallField as_before(const WallField& wall);

/// Where a body is at the two ends of a step.
struct Placement {
    geometry::Pose before, now;
};

/// What the solver's lengths and times are.
struct StepUnits {
    Vec3d origin;   ///< of positions, in metres
    double h;       ///< metres in the unit of length
    double dt = 0;  ///< seconds between the two poses
};

WallField place_field(const Field& field, const Placement& placement, const StepUnits& units);

}  // namespace spindrift::collision
