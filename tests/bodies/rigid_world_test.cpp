#include "spindrift/bodies/rigid/rigid_world.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "rigid_scenes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/geometry/primitives.h"

namespace spindrift::bodies {
namespace {

/// Things of all kinds that fall onto each other.
std::vector<BodyParams> make_heap() {
    std::vector<BodyParams> bodies{make_box_body({0.2, 0.1, 0.1}, {0, 0.2, 0}), make_ball(0.08, {0.05, 0.4, 0.02})};
    BodyParams drum;
    drum.name = "drum";
    drum.cylinder = geometry::CylinderShape{{0, -0.1, 0}, {0, 0.1, 0}, 0.07};
    drum.position = Vec3d{-0.04, 0.65, 0};
    drum.rotation_deg = Vec3d{30, 0, 60};
    BodyParams pill;
    pill.name = "pill";
    pill.capsule = CapsuleShape{{-0.1, 0, 0}, {0.1, 0, 0}, 0.05};
    pill.position = Vec3d{0, 0.9, 0.03};
    pill.restitution = 0.3;
    BodyParams cloth;
    cloth.kind = Kind::cloth;
    cloth.sheet = SheetShape{{1, 1}, 4};
    bodies.insert(bodies.end(), {drum, cloth, pill});
    return bodies;
}

std::vector<BodyState> states_of(const RigidWorld& world) {
    return {world.states().begin(), world.states().end()};
}

TEST(RigidWorld, DoesTheSameTwiceAndWhenTakenUpAgain) {
    const std::vector<BodyParams> bodies = make_heap();
    const RigidWorld::Setup setup{.params = bodies, .domain = make_room()};
    TestWorld first(setup), second(setup), third(setup);
    const double dt = 1.0 / 200;
    first.run(150, dt);
    second.run(150, dt);
    EXPECT_EQ(states_of(first.world), states_of(second.world));
    EXPECT_FALSE(first.world.contacts().empty());
    const std::vector<BodyState> saved = states_of(first.world);
    std::copy(saved.begin(), saved.end(), third.world.states().begin());
    third.world.contacts() = first.world.contacts();
    third.time = first.time;
    first.run(150, dt);
    third.run(150, dt);
    EXPECT_EQ(states_of(first.world), states_of(third.world));
    EXPECT_EQ(first.world.contacts(), third.world.contacts());
    second.world.reset();
    second.time = 0;
    second.run(300, dt);
    EXPECT_EQ(states_of(first.world), states_of(second.world)) << "after a reset";
}

TEST(RigidWorld, AHeapComesToRestAboveTheFloor) {
    const std::vector<BodyParams> bodies = make_heap();
    TestWorld test({.params = bodies, .domain = make_room()});
    test.run(960, 1.0 / 240);
    for (const std::size_t i : {0, 1, 2, 4}) {
        EXPECT_GT(test.world.states()[i].center.y, 0.045) << bodies[i].name;
        EXPECT_LT(test.world.states()[i].center.y, 0.4) << bodies[i].name;
        EXPECT_LT(std::abs(test.world.states()[i].velocity.y), 0.1) << bodies[i].name;
    }
}

TEST(RigidWorld, PosesAreOfTheShapeAndCentresOfTheMass) {
    BodyParams box;
    box.box = Box3d{{0, 0, 0}, {0.2, 0.4, 0.6}};
    box.position = Vec3d{1, 2, 3};
    box.rotation_deg = Vec3d{0, 90, 0};
    box.scale = 0.5;
    const std::vector<BodyParams> bodies{box};
    TestWorld test({.params = bodies});
    const Vec3d center = geometry::make_pose({1, 2, 3}, {0, 90, 0}).to_world({0.05, 0.1, 0.15});
    EXPECT_NEAR(length(test.world.center(0) - center), 0, 1e-7);
    EXPECT_NEAR(length(test.world.pose(0).position - Vec3d{1, 2, 3}), 0, 1e-12);
    EXPECT_NEAR(length(test.world.pose(0).x - Vec3d{0, 0, -1}), 0, 1e-12);
    EXPECT_NEAR(test.world.mass(0).mass, 500 * 0.048 / 8, 1e-6);
    test.begin(0.1, {});
    test.world.press(0, {{0.3, 0, 0}, {}});
    EXPECT_NEAR(test.world.pose_after(0).position.x, 1 + 0.1 * 0.3 / test.world.mass(0).mass, 1e-12);
    test.world.end_step();
    EXPECT_NEAR(test.world.pose(0).position.x, 1 + 0.1 * 0.3 / test.world.mass(0).mass, 1e-12);
}

TEST(RigidWorld, TellsWhatTheFloorGave) {
    const std::vector<BodyParams> bodies{make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0})};
    TestWorld test({.params = bodies, .domain = make_room()});
    const double dt = 1.0 / 240, weight = 0.5 * 9.81 * dt;
    test.run(60, dt);
    EXPECT_NEAR(test.world.held_impulse(0).linear.y, weight, 1e-3 * weight);
    double sum = 0;
    for (const BodyContact& contact : test.world.contacts()) {
        EXPECT_EQ(std::max(contact.a, contact.b), 0);
        EXPECT_NEAR(contact.normal.y, contact.a == 0 ? 1 : -1, 1e-9);
        EXPECT_NEAR(contact.point.y, 0, 1e-3);
        sum += contact.impulse;
    }
    EXPECT_NEAR(sum, weight, 1e-3 * weight);
}

/// A crate without a lid, of boxes whose walls touch.
void write_tray(const std::filesystem::path& file) {
    std::ofstream out(file);
    const double w = 0.3, h = 0.2, t = 0.04;
    // An L-shaped outline turned into a U: outer and inner profile along x, extruded along z.
    const double outline[8][2] = {{-w, 0}, {w, 0}, {w, h}, {w - t, h}, {w - t, t}, {t - w, t}, {t - w, h}, {-w, h}};
    for (const double z : {-w, w}) {
        for (const auto& p : outline)
            out << "v " << p[0] << ' ' << p[1] << ' ' << z << '\n';
    }
    out << "f 8 7 6 1\nf 1 6 5 2\nf 2 5 4 3\n";
    out << "f 9 14 15 16\nf 10 13 14 9\nf 11 12 13 10\n";
    for (int k = 0; k < 8; ++k) {
        const int next = (k + 1) % 8;
        out << "f " << k + 1 << ' ' << next + 1 << ' ' << next + 9 << ' ' << k + 9 << '\n';
    }
}

/// Where a ball comes to rest that falls into a gutter.
double height_of_ball(ContactShape contact) {
    const TemporaryFolder folder;
    write_tray(folder / "tray.obj");
    BodyParams tray;
    tray.name = "tray";
    tray.mesh = "tray.obj";
    tray.contact = contact;
    tray.position = Vec3d{0, 0.001, 0};
    const std::vector<BodyParams> bodies{tray, make_ball(0.05, {0, 0.4, 0})};
    TestWorld test({.params = bodies, .domain = make_room(), .folder = folder.path()});
    test.run(240, 1.0 / 240);
    return test.world.states()[1].center.y;
}

TEST(RigidWorld, PartsFollowTheDentsThatAHullFills) {
    EXPECT_NEAR(height_of_ball(ContactShape::hull), 0.25, 0.01);
    EXPECT_NEAR(height_of_ball(ContactShape::parts), 0.09, 0.02);
}

TEST(RigidWorld, MeshesRestOnMeshes) {
    const TemporaryFolder folder;
    geometry::Mesh mesh = geometry::make_box({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}});
    std::ofstream out(folder / "block.obj");
    for (const Vec3f& p : mesh.points)
        out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
    for (const auto& [a, b, c] : mesh.triangles)
        out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
    out.close();
    BodyParams block;
    block.name = "block";
    block.mesh = "block.obj";
    block.position = Vec3d{0, 0.102, 0};
    std::vector<BodyParams> bodies{block, block};
    bodies[1].position = Vec3d{0.02, 0.303, 0};
    collision::ColliderParams table;
    table.mesh = "block.obj";
    table.scale = 10;
    table.position = Vec3d{0, -1, 0};
    const std::vector<collision::ColliderParams> colliders{table};
    TestWorld test({.params = bodies, .colliders = colliders, .folder = folder.path()});
    test.run(480, 1.0 / 240);
    EXPECT_NEAR(test.world.states()[0].center.y, 0.1, 2e-3);
    EXPECT_NEAR(test.world.states()[1].center.y, 0.3, 3e-3);
    EXPECT_NEAR(test.world.states()[1].center.x, 0.02, 2e-3);
    EXPECT_LT(length(test.world.states()[1].velocity), 1e-2);
}

}  // namespace
}  // namespace spindrift::bodies
