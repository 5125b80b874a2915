#pragma once
// Soft bodies for the tests, and time that passes for them.
//
//   SoftBody body(strip({1, 0.1}, 20), {});
//   settle(body, 2.0, {0, -9.81, 0});

#include <vector>

#include "spindrift/bodies/soft/soft_body.h"

namespace spindrift::bodies {

inline constexpr double step = 1.0 / 240;
inline constexpr Vec3d gravity{0, -9.81, 0};
inline const SoftBody::Setup usual{.spacing = 0.02, .support = 0.04};

/// A strip of cloth along x, around the origin.
inline BodyParams strip(std::array<double, 2> size, int cells) {
    BodyParams params;
    params.name = "strip";
    params.kind = Kind::cloth;
    params.sheet = SheetShape{.size = size, .cells = cells};
    return params;
}

inline BodyParams jelly(Box3d box, double cell) {
    BodyParams params;
    params.name = "jelly";
    params.kind = Kind::soft;
    params.box = box;
    params.soft.cell = cell;
    return params;
}

/// Everything within a millimetre of a plane x = at, y = at or z = at.
inline Box3d slab(int axis, double at) {
    Box3d box{{-100, -100, -100}, {100, 100, 100}};
    box.lo[axis] = at - 1e-3;
    box.hi[axis] = at + 1e-3;
    return box;
}

inline void advance(SoftBody& body, double dt, Vec3d g = gravity, const collision::Walls& obstacles = {}) {
    body.begin_step({.frame = 1, .dt = dt, .gravity = g});
    body.take({}, obstacles, {});
}

inline void run(SoftBody& body, double seconds, Vec3d g = gravity, double dt = step,
                const collision::Walls& obstacles = {}) {
    for (int k = 0; k < static_cast<int>(seconds / dt + 0.5); ++k)
        advance(body, dt, g, obstacles);
}

/// Takes the motion out again and again until it is in balance.
inline void settle(SoftBody& body, double seconds, Vec3d g = gravity, double dt = step,
                   const collision::Walls& obstacles = {}) {
    for (int k = 0; k < static_cast<int>(seconds / dt + 0.5); ++k) {
        double before = 0, after = 0;
        for (const Vec3d v : body.state().velocities)
            before += dot(v, v);
        advance(body, dt, g, obstacles);
        for (const Vec3d v : body.state().velocities)
            after += dot(v, v);
        if (after < before) body.state().velocities.assign(body.state().velocities.size(), Vec3d{});
    }
}

inline double lowest(const SoftBody& body) {
    double y = 1e30;
    for (const Vec3d p : body.state().points)
        y = std::min(y, p.y);
    return y;
}

}  // namespace spindrift::bodies
