#include "spindrift/bodies/rigid/rigid_checks.h"

#include <filesystem>
#include <fstream>

#include "rigid_scenes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/log.h"

namespace spindrift::bodies {
namespace {

/// What a world says when it is made; empty if nothing.
std::string complaint(const RigidWorld::Setup& setup) {
    try {
        const RigidWorld world(setup);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct MeshFolder : TemporaryFolder {
    void write(const std::string& name, const std::string& text) const { std::ofstream(*this / name) << text; }
};

/// A tetrahedron; its faces look outward.
const char* const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

BodyParams make_mesh_body(const std::string& file) {
    BodyParams body;
    body.name = "rock";
    body.mesh = file;
    return body;
}

TEST(RigidChecks, AFlatOrOpenMeshMustBeClosedOrGetAMass) {
    const MeshFolder folder;
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    std::vector<BodyParams> bodies{make_mesh_body("flat.obj")};
    EXPECT_TRUE(has(complaint({.params = bodies, .folder = folder.path()}), "rock: its mesh is open or flat"));
    bodies[0].mass = 2;
    EXPECT_TRUE(has(complaint({.params = bodies, .folder = folder.path()}), "rock: its mesh is open or flat"));
    bodies[0] = make_mesh_body("open.obj");
    EXPECT_TRUE(has(complaint({.params = bodies, .folder = folder.path()}), "give its 'mass'"));
    bodies[0].mass = 2;
    const RigidWorld world({.params = bodies, .folder = folder.path()});
    EXPECT_NEAR(world.mass(0).mass, 2, 1e-12);
    EXPECT_NEAR(length(world.mass(0).center - Vec3d{0.25, 0.25, 0.25}), 0, 1e-6);
}

TEST(RigidChecks, AnInvertedMeshIsTakenWithAWarning) {
    const MeshFolder folder;
    folder.write("inside_out.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    const std::vector<BodyParams> bodies{make_mesh_body("inside_out.obj")};
    std::string said;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { said += text; });
    const RigidWorld world({.params = bodies, .folder = folder.path()});
    set_log_sink(before);
    EXPECT_TRUE(has(said, "rock: the faces of its mesh look inward"));
    EXPECT_NEAR(world.mass(0).volume, 1.0 / 6, 1e-6);
    EXPECT_NEAR(world.mass(0).mass, 500.0 / 6, 1e-3);
    EXPECT_GT(world.mass(0).inertia[0][0], 0);
}

TEST(RigidChecks, BodiesInsideEachOtherAreNamed) {
    std::vector<BodyParams> bodies{make_box_body({0.2, 0.2, 0.2}, {0, 1, 0}), make_ball(0.1, {0.1, 1, 0})};
    bodies[0].name = "crate";
    bodies[1].name = "barrel";
    const std::string text = complaint({.params = bodies});
    EXPECT_TRUE(has(text, "crate") && has(text, "barrel") && has(text, "inside each other at the start")) << text;
    bodies[1].position = Vec3d{0.19, 1, 0};
    EXPECT_EQ(complaint({.params = bodies}), "") << "a little is pushed out";
}

TEST(RigidChecks, ABodyOutsideTheDomainIsNamed) {
    std::vector<BodyParams> bodies{make_ball(0.1, {0, 20, 0})};
    collision::DomainParams domain = make_room();
    EXPECT_TRUE(has(complaint({.params = bodies, .domain = domain}), "ball lies outside the domain at the start"));
    domain.open = {collision::Side::top};
    EXPECT_EQ(complaint({.params = bodies, .domain = domain}), "") << "it falls in";
    bodies[0].position = Vec3d{0, 0, 0};
    EXPECT_TRUE(has(complaint({.params = bodies, .domain = domain}), "the domain's bottom side"));
}

TEST(RigidChecks, ABodyInsideACollidersSolidIsNamed) {
    const MeshFolder folder;
    folder.write("hill.obj", tetrahedron);
    collision::ColliderParams hill;
    hill.name = "hill";
    hill.mesh = "hill.obj";
    hill.scale = 4;
    std::vector<collision::ColliderParams> colliders{hill};
    std::vector<BodyParams> bodies{make_ball(0.1, {0.8, 0.8, 0.8})};
    const RigidWorld::Setup setup{.params = bodies, .colliders = colliders, .folder = folder.path()};
    EXPECT_TRUE(has(complaint(setup), "ball is inside the solid of hill"));
    colliders[0].mode = collision::Mode::solid_outside;
    EXPECT_EQ(complaint(setup), "");
    bodies[0].position = Vec3d{3, 3, 3};
    EXPECT_TRUE(has(complaint(setup), "ball is inside the solid of hill")) << "it is outside of the container";
}

TEST(RigidChecks, AMissingFileIsAnIoError) {
    const std::vector<BodyParams> bodies{make_mesh_body("nothing.obj")};
    EXPECT_THROW(RigidWorld({.params = bodies}), IoError);
}

}  // namespace
}  // namespace spindrift::bodies
