#pragma once
// A pool for whitewater to move in, and what is born there.

#include <memory>

#include "spindrift/whitewater/made_liquid.h"
#include "spindrift/whitewater/step.h"

namespace spindrift::whitewater {

inline constexpr double d = 0.02;
inline constexpr float h = 0.04f, frame_time = 1 / 24.f;

inline bool everywhere(Vec3f) {
    return true;
}

inline forces::ForceSet gravity(double) {
    forces::ForceSet set;
    set.gravity = {0, -9.81f, 0};
    return set;
}

inline Birth born(Kind kind, Vec3f x, Vec3f v = {}) {
    Birth birth{.from = x, .x = x, .v = v};
    birth.cause = cause::source;
    birth.has_kind = true;
    birth.kind = kind;
    birth.diameter = 2e-3f;
    return birth;
}

/// One frame in a liquid that stays as it is.
inline Interval still(const MadeLiquid& liquid, int frame, float span = frame_time) {
    Interval interval{.flow = {liquid.flow, liquid.flow, span}, .frame = frame, .time = frame * span};
    interval.forces = gravity;
    return interval;
}

inline std::unique_ptr<MadeLiquid> pool_of(const MadeLiquid::Velocity& velocity = [](Vec3f) { return Vec3f{}; }) {
    auto pool = std::make_unique<MadeLiquid>(d, Box3f{{-0.4f, 0, -0.4f}, {0.4f, 0.4f, 0.4f}}, everywhere, velocity);
    pool->look({});
    return pool;
}

}  // namespace spindrift::whitewater
