#pragma once
// Small worlds of rigid bodies for tests.

#include <string>
#include <vector>

#include "spindrift/bodies/rigid/rigid_world.h"

namespace spindrift::bodies {

inline constexpr Vec3d earth{0, -9.81, 0};
inline constexpr double fps = 24;

inline BodyParams make_box_body(Vec3d size, Vec3d position) {
    BodyParams body;
    body.name = "box";
    body.box = Box3d{size * -0.5, size * 0.5};
    body.position = position;
    return body;
}

inline BodyParams make_ball(double radius, Vec3d position) {
    BodyParams body;
    body.name = "ball";
    body.sphere = geometry::SphereShape{{}, radius};
    body.position = position;
    return body;
}

inline collision::DomainParams make_room() {
    collision::DomainParams domain;
    domain.box = {{-5, 0, -5}, {5, 10, 5}};
    return domain;
}

/// A world that keeps time.
struct TestWorld {
    RigidWorld world;
    double time = 0;

    explicit TestWorld(const RigidWorld::Setup& setup) : world(setup) {}

    void begin(double dt, Vec3d gravity = earth) {
        world.begin_step({.frame = 1 + time * fps, .dt = dt, .gravity = gravity});
    }
    void run(int steps, double dt, Vec3d gravity = earth) {
        for (int s = 0; s < steps; ++s) {
            begin(dt, gravity);
            world.end_step();
            time += dt;
        }
    }
};

}  // namespace spindrift::bodies
