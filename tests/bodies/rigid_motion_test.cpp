#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "rigid_scenes.h"

namespace spindrift::bodies {
namespace {

TEST(RigidMotion, FreeFallIsExact) {
    const std::vector<BodyParams> bodies{make_ball(0.1, {0, 5, 0})};
    TestWorld test({.params = bodies});
    const double dt = 1.0 / 240;
    test.run(120, dt);
    // Velocities first, then positions: the sum of an arithmetic series.
    EXPECT_NEAR(test.world.states()[0].center.y, 5 - 9.81 * dt * dt * 120 * 121 / 2, 1e-12);
    EXPECT_NEAR(test.world.states()[0].velocity.y, -9.81 * 120 * dt, 1e-12);
}

TEST(RigidMotion, AStackOfSixBoxesStands) {
    std::vector<BodyParams> bodies;
    for (int k = 0; k < 6; ++k)
        bodies.push_back(make_box_body({0.1, 0.1, 0.1}, {0.01 * (k % 2), 0.05 + 0.1 * k, 0}));
    TestWorld test({.params = bodies, .domain = make_room()});
    const double dt = 1.0 / 240;
    test.run(600, dt);
    const std::vector<BodyState> halfway(test.world.states().begin(), test.world.states().end());
    test.run(600, dt);
    for (int k = 0; k < 6; ++k) {
        const BodyState& now = test.world.states()[static_cast<std::size_t>(k)];
        EXPECT_NEAR(length(now.center - Vec3d{0.01 * (k % 2), 0.05 + 0.1 * k, 0}), 0, 1e-3) << k << " went away";
        EXPECT_NEAR(length(now.center - halfway[static_cast<std::size_t>(k)].center), 0, 1e-4) << k << " drifts";
        EXPECT_LT(length(now.velocity), 1e-3) << k << " jitters";
        EXPECT_LT(length(now.spin), 1e-2) << k << " jitters";
    }
}

/// How far a box slides down a slope of 20 degrees in a second.
double slide(double grip) {
    BodyParams box = make_box_body({0.1, 0.1, 0.1}, {});
    const double angle = 20 * std::numbers::pi / 180;
    const Vec3d normal{std::sin(angle), std::cos(angle), 0};
    box.position = normal * 0.05;
    box.rotation_deg = Vec3d{0, 0, -20};
    box.grip = grip;
    collision::ColliderParams slope;
    slope.plane = collision::PlaneShape{{0, 0, 0}, normal};
    const std::vector<BodyParams> bodies{box};
    const std::vector<collision::ColliderParams> colliders{slope};
    TestWorld test({.params = bodies, .colliders = colliders});
    test.run(240, 1.0 / 240);
    return length(test.world.states()[0].center - normal * 0.05);
}

TEST(RigidMotion, GripDecidesWhetherABoxSlides) {
    // The coefficient is the root of 0.5 times the grip; tan 20 degrees is 0.364.
    EXPECT_LT(slide(0.4), 1e-4) << "0.447 holds";
    const double angle = 20 * std::numbers::pi / 180, free = 0.5 * 9.81;
    EXPECT_NEAR(slide(0), free * std::sin(angle), 0.01 * free * std::sin(angle));
    const double expected = free * (std::sin(angle) - std::sqrt(0.5 * 0.1) * std::cos(angle));
    EXPECT_NEAR(slide(0.1), expected, 0.03 * expected);
}

TEST(RigidMotion, ABallBouncesByItsRestitution) {
    BodyParams ball = make_ball(0.1, {0, 1.1, 0});
    ball.restitution = 0.8;
    const std::vector<BodyParams> bodies{ball};
    TestWorld test({.params = bodies, .domain = make_room()});
    bool fell = false;
    double highest = 0;
    for (int s = 0; s < 480; ++s) {
        test.run(1, 1.0 / 480);
        const BodyState& state = test.world.states()[0];
        if (state.velocity.y > 0) fell = true;
        if (fell && state.velocity.y < 0) break;
        if (fell) highest = std::max(highest, state.center.y);
    }
    // The moment of the hit is known to a step: 9 mm of a fall of 1 m.
    EXPECT_NEAR(highest - 0.1, 0.64, 0.02);
}

TEST(RigidMotion, AHingedRodSwingsAsAPhysicalPendulum) {
    BodyParams rod = make_box_body({0.04, 1.0, 0.04}, {});
    const double angle = 5 * std::numbers::pi / 180;
    rod.position = Vec3d{0.5 * std::sin(angle), 2 - 0.5 * std::cos(angle), 0};
    rod.rotation_deg = Vec3d{0, 0, 5};
    HingeParams hinge;
    hinge.point = {0, 2, 0};
    rod.hinge = hinge;
    const std::vector<BodyParams> bodies{rod};
    TestWorld test({.params = bodies});
    const double dt = 1.0 / 480, arm = 0.5, inertia = (1.0 + 0.04 * 0.04) / 12;
    const double period = 2 * std::numbers::pi * std::sqrt((inertia + arm * arm) / (9.81 * arm));
    std::vector<double> crossings;
    double before = test.world.states()[0].center.x;
    while (test.time < 5.2 * period) {
        test.run(1, dt);
        const double now = test.world.states()[0].center.x;
        if (before > 0 && now <= 0) crossings.push_back(test.time - dt * now / (now - before));
        before = now;
        EXPECT_NEAR(length(test.world.states()[0].center - hinge.point), 0.5, 1e-3);
    }
    ASSERT_GE(crossings.size(), 4u);
    const double measured = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    EXPECT_NEAR(measured, period, 0.01 * period);
}

TEST(RigidMotion, FrictionStopsAHinge) {
    BodyParams rod = make_box_body({1.0, 0.04, 0.04}, {0, 2, 0});
    HingeParams hinge;
    hinge.point = {0, 2, 0};
    hinge.friction = 0.05;
    rod.hinge = hinge;
    rod.mass = 1.2;
    rod.spin_deg = Vec3d{0, 0, 90};
    const std::vector<BodyParams> bodies{rod};
    TestWorld test({.params = bodies});
    const double inertia = 1.2 * (1 + 0.0016) / 12, start = std::numbers::pi / 2;
    test.run(240, 1.0 / 240, {});
    EXPECT_NEAR(test.world.states()[0].spin.z, start - 0.05 / inertia, 0.01 * start);
    test.run(960, 1.0 / 240, {});
    EXPECT_NEAR(test.world.states()[0].spin.z, 0, 1e-9);
}

TEST(RigidMotion, ACollisionKeepsTheMomentum) {
    BodyParams fast = make_box_body({0.2, 0.1, 0.1}, {-0.3, 1, 0}), slow = make_ball(0.1, {0.1, 1.04, 0.02});
    fast.velocity = {3, 0, 0};
    fast.restitution = slow.restitution = 0.5;
    const std::vector<BodyParams> bodies{fast, slow};
    TestWorld test({.params = bodies});
    const auto momentum = [&] {
        Vec3d sum{};
        for (std::size_t i = 0; i < 2; ++i)
            sum += test.world.states()[i].velocity * test.world.mass(i).mass;
        return sum;
    };
    const Vec3d before = momentum();
    test.run(120, 1.0 / 240, {});
    EXPECT_GT(test.world.states()[1].velocity.x, 0.5) << "they did not meet";
    EXPECT_NEAR(length(momentum() - before), 0, 1e-9);
}

TEST(RigidMotion, ATumblingPlateKeepsItsAngularMomentumAndEnergy) {
    BodyParams plate = make_box_body({0.4, 0.02, 0.2}, {0, 1, 0});
    plate.mass = 1;
    plate.spin_deg = Vec3d{20, 5, 600};
    const std::vector<BodyParams> bodies{plate};
    TestWorld test({.params = bodies});
    const auto measure = [&] {
        const BodyState& state = test.world.states()[0];
        const geometry::Pose pose = make_pose(state.center, state.turn);
        const Inertia inertia{{pose.x, pose.y, pose.z},
                              Vec3d{0.02 * 0.02 + 0.2 * 0.2, 0.4 * 0.4 + 0.2 * 0.2, 0.4 * 0.4 + 0.02 * 0.02} / 12.0};
        const Vec3d momentum = inertia.momentum(state.spin);
        return std::pair{momentum, 0.5 * dot(momentum, state.spin)};
    };
    const auto [momentum, energy] = measure();
    test.run(960, 1.0 / 240, {});
    EXPECT_NEAR(length(measure().first - momentum), 0, 1e-6 * length(momentum));  // sizes are floats here
    EXPECT_NEAR(measure().second, energy, 0.05 * energy);
}

TEST(RigidMotion, AHeavyBoxOnALightOneDoesNotExplode) {
    BodyParams light = make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0}), heavy = make_box_body({0.1, 0.1, 0.1}, {0, 0.15, 0});
    light.density = 100;
    heavy.density = 10000;
    const std::vector<BodyParams> bodies{light, heavy};
    TestWorld test({.params = bodies, .domain = make_room()});
    for (int s = 0; s < 480; ++s) {
        test.run(1, 1.0 / 240);
        for (const BodyState& state : test.world.states())
            ASSERT_LT(length(state.velocity), 0.2) << s;
    }
    EXPECT_NEAR(test.world.states()[1].center.y, 0.15, 0.02);
    EXPECT_GT(test.world.states()[1].center.y, test.world.states()[0].center.y + 0.08);
}

TEST(RigidMotion, AReleasedBodyFliesOnWithTheVelocityOfItsKeys) {
    BodyParams thrown = make_ball(0.1, {});
    thrown.motion = Motion::keyed;
    thrown.release = 3;
    thrown.position = Animated<Vec3d>({{1, {0, 1, 0}}, {25, {2, 1, 0}}});
    thrown.rotation_deg = Animated<Vec3d>({{1, {0, 0, 0}}, {25, {0, 180, 0}}});
    const std::vector<BodyParams> bodies{thrown};
    TestWorld test({.params = bodies, .fps = fps});
    const double dt = 1.0 / 240;
    test.run(20, dt);
    EXPECT_FALSE(test.world.is_free(0));
    EXPECT_NEAR(test.world.states()[0].center.x, 2.0 * 20 / 240, 1e-9);
    test.run(24, dt);
    EXPECT_TRUE(test.world.is_free(0));
    const BodyState& state = test.world.states()[0];
    EXPECT_NEAR(state.velocity.x, 2, 1e-9);
    EXPECT_NEAR(state.velocity.y, -0.981, 1e-9);
    EXPECT_NEAR(state.spin.y, std::numbers::pi, 1e-9);
    EXPECT_NEAR(state.center.x, 2.0 * 44 / 240, 1e-9);
}

TEST(RigidMotion, AFastPebbleDoesNotPassAThinFloor) {
    BodyParams pebble = make_ball(0.005, {0, 1, 0});
    pebble.velocity = {0, -20, 0};
    collision::ColliderParams floor;
    floor.name = "floor";
    floor.box = Box3d{{-1, -0.005, -1}, {1, 0, 1}};
    const std::vector<BodyParams> bodies{pebble};
    const std::vector<collision::ColliderParams> colliders{floor};
    TestWorld test({.params = bodies, .colliders = colliders});
    test.run(120, 1.0 / 100);
    EXPECT_NEAR(test.world.states()[0].center.y, 0.005, 1e-3);
}

TEST(RigidMotion, AMovingColliderCarriesABox) {
    collision::ColliderParams lift;
    lift.name = "lift";
    lift.box = Box3d{{-1, -0.1, -1}, {1, 0, 1}};
    lift.position = Animated<Vec3d>({{1, {0, 0, 0}}, {25, {0.5, 0.5, 0}}});
    const std::vector<BodyParams> bodies{make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0})};
    const std::vector<collision::ColliderParams> colliders{lift};
    TestWorld test({.params = bodies, .colliders = colliders, .fps = fps});
    test.run(240, 1.0 / 240);
    EXPECT_NEAR(test.world.states()[0].center.y, 0.55, 5e-3);
    // Until it has caught up the box slides for 0.5 / (0.5 g) = 0.1 s: 25 mm.
    EXPECT_NEAR(test.world.states()[0].center.x, 0.475, 0.01);
}

}  // namespace
}  // namespace spindrift::bodies
