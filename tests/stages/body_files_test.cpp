#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "body_caches.h"
#include "complaint.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/scene_copy.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/errors.h"
#include "spindrift/geometry/read_mesh.h"
#include "spindrift/io/npz.h"
#include "spindrift/io/statistics.h"
#include "spindrift/stages/export/export_bodies.h"
#include "spindrift/stages/frame/frame_bodies.h"
#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/pictures/shot.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;

/// A crate and a cloth of three points with numbers that have no short form.
sim::BodyFrame sample_frame() {
    sim::BodyFrame frame;
    bodies::BodyState crate, cloth;
    crate.center = {1.0 / 3, -2.0 / 7, 1e-300};
    crate.turn = {0.5, -0.5, 0.5, 0.5};
    crate.velocity = {-0.0, 5e-324, 0.1};
    crate.spin = {std::sqrt(2), 3, 4};
    cloth.points = {{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0.1}};
    cloth.velocities = {{0.1, 0.2, 0.3}, {}, {1e10, 0, 0}};
    frame.state.bodies = {crate, cloth};
    frame.state.contacts = {{0, -1, {1, 2, 3}, {0, 1, 0}, 0.7}, {0, 1, {}, {1, 0, 0}, 0}};
    frame.state.impulses = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {0.1, 0.2, 0.3}}};
    frame.state.ledger = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    frame.poses = {bodies::make_pose({0.3, 0.2, 0.1}, crate.turn), {}};
    frame.surfaces = {{}, {{0, 0, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}}};
    frame.surface_velocities = {{}, {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}};
    return frame;
}

Scene sample_scene() {
    return tank_with(std::string(crate_body) + cloth_body);
}

TEST(BodyFrame, comes_back_with_the_same_bits) {
    const TemporaryFolder folder;
    const Scene scene = sample_scene();
    const fs::path path = folder / "a.npz";
    const sim::BodyFrame frame = sample_frame();
    io::write_npz(path, sim::body_arrays(scene, frame), io::Lengths::any);
    const sim::BodyFrame again = sim::body_frame(scene, io::read_npz(path, io::Lengths::any), path);
    EXPECT_EQ(again.state.bodies, frame.state.bodies);
    EXPECT_TRUE(std::signbit(again.state.bodies[0].velocity.x));
    EXPECT_EQ(again.state.contacts, frame.state.contacts);
    EXPECT_EQ(again.state.ledger, frame.state.ledger);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(again.state.impulses[i].linear, frame.state.impulses[i].linear);
        EXPECT_EQ(again.state.impulses[i].angular, frame.state.impulses[i].angular);
    }
    EXPECT_EQ(again.poses[0], frame.poses[0]);
    EXPECT_EQ(again.surfaces, frame.surfaces);
    EXPECT_EQ(again.surface_velocities, frame.surface_velocities);
}

TEST(BodyFrame, that_is_none_is_refused_in_words) {
    const Scene scene = sample_scene();
    const auto says = [&](const auto& change) {
        ChannelSet arrays = sim::body_arrays(scene, sample_frame());
        change(arrays);
        return complaint([&] { sim::body_frame(scene, arrays, "a.npz"); });
    };
    const auto erased = [&](const std::string& name) {
        return says([&](ChannelSet& set) {
            std::erase_if(set.channels, [&](const ChannelArray& each) { return each.name() == name; });
        });
    };
    for (const char* name : {"names", "center", "turn", "ledger", "contact_point", "points.cloth", "surface.cloth"})
        EXPECT_EQ(erased(name), std::string("a.npz: this is no frame of bodies: it has no array '") + name +
                                    "' of the right kind; simulate the frame again");
    EXPECT_NE(says([](ChannelSet& set) { set.find("spin")->resize(1); }).find("'spin' has 1 rows in place of 2"),
              std::string::npos);
    EXPECT_NE(says([](ChannelSet& set) { set.find("center")->as<Vec3d>()[1].y = std::nan(""); }).find("not finite"),
              std::string::npos);
    EXPECT_NE(says([](ChannelSet& set) { set.find("turn")->as<std::array<double, 4>>()[0] = {}; }).find("unit length"),
              std::string::npos);
    EXPECT_NE(says([](ChannelSet& set) {
                  set.find("contact_bodies")->as<std::array<int, 2>>()[0] = {0, 2};
              }).find("a body that is not there"),
              std::string::npos);
}

TEST(BodyFrame, looks_do_not_count_for_the_simulation_and_files_do) {
    const TemporaryFolder folder;
    std::ofstream(folder / "cube.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const auto hash = [&](const std::string& more) {
        Scene scene = tank_with(std::string(crate_body) + "[[body]]\nname = \"m\"\nmesh = \"cube.obj\"\n" + more);
        scene.file = folder / "tank.toml";
        return cache::simulation_hash(scene);
    };
    const std::string plain = hash("");
    EXPECT_EQ(hash("visible = false\ncolor = [1, 0, 0]\nopacity = 0.2\nior = 1.3\n"), plain);
    EXPECT_NE(hash("density = 300\n"), plain);
    std::ofstream(folder / "cube.obj", std::ios::app) << "v 5 5 5\n";
    EXPECT_NE(hash(""), plain);
}

render::Image picture(const std::string& bodies, const sim::BodyFrame& frame) {
    const Scene scene = parse_scene(
        "[[liquid]]\nspacing = 0.05\nfill = { box = [[0, 5, 0], [0.2, 5.2, 0.2]] }\n"
        "[render]\nresolution = [96, 54]\nrange = [0, 1]\nground = false\n"
        "[[camera]]\nposition = [0, 0, 4]\ntarget = [0, 0, 0]\n" +
            bodies,
        "test.toml");
    FrameContent content{.frame = 1, .bodies = frame};
    content.particles.add("P", {ScalarType::f32, 3}, 1).as<Vec3f>()[0] = {0, 0, -2};
    content.particles.add("v", {ScalarType::f32, 3}, 1).as<Vec3f>()[0] = {0, 0, 0};
    return draw_frame(scene, plan_shot(scene, "", {}), content).image;
}

sim::BodyFrame one_body(const bodies::BodyState& state) {
    sim::BodyFrame frame;
    frame.state.bodies = {state};
    frame.state.impulses.resize(1);
    frame.poses = {bodies::make_pose(state.center, state.turn)};
    frame.surfaces.resize(1);
    frame.surface_velocities.resize(1);
    return frame;
}

/// Columns of a picture that are another one's.
std::vector<int> changed_columns(const render::Image& a, const render::Image& b) {
    std::vector<int> columns;
    for (int x = 0; x < a.width; ++x) {
        bool changed = false;
        for (int y = 0; y < a.height; ++y) {
            const std::size_t i = static_cast<std::size_t>(y * a.width + x);
            changed = changed || length(a.pixels[i] - b.pixels[i]) > 0.05f;
        }
        if (changed) columns.push_back(x);
    }
    return columns;
}

TEST(BodyPictures, show_a_rigid_body_where_the_frame_has_it) {
    const std::string crate = "[[body]]\nbox = [[-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]]\ncolor = [1, 0, 0]\n";
    bodies::BodyState state;
    const render::Image bare = picture("", {});
    state.center = {-1, 0, 0};
    const std::vector<int> left = changed_columns(picture(crate, one_body(state)), bare);
    state.center = {1, 0, 0};
    const std::vector<int> right = changed_columns(picture(crate, one_body(state)), bare);
    ASSERT_FALSE(left.empty());
    ASSERT_FALSE(right.empty());
    EXPECT_LT(left.back(), 48);
    EXPECT_GT(right.front(), 47);
    EXPECT_TRUE(changed_columns(picture(crate + "visible = false\n", one_body(state)), bare).empty());
}

TEST(BodyPictures, blur_what_moves_while_the_shutter_is_open) {
    const std::string crate = "[[body]]\nbox = [[-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]]\n";
    bodies::BodyState state;
    const sim::BodyFrame still = one_body(state);
    state.velocity = {24, 0, 0};
    const auto shot = [&](const sim::BodyFrame& frame) {
        BodyMeshes meshes;
        Scene scene = tank_with(crate);
        scene.render.shutter = 0.5;
        return meshes.drawn(scene, frame, {}).at(0);
    };
    const render::MeshBody fast = shot(one_body(state));
    // Half a frame of 1/24 s at 24 m/s.
    EXPECT_NEAR(fast.pose_end->position.x - fast.pose.position.x, 0.5, 1e-12);
    EXPECT_EQ(shot(still).pose_end->position.x, shot(still).pose.position.x);
}

TEST(BodyPictures, show_cloth_by_its_points) {
    const std::string cloth = "[[body]]\nkind = \"cloth\"\nsheet = { size = [1, 1], cells = 1 }\ncolor = [0, 1, 0]\n";
    sim::BodyFrame frame = one_body({});
    frame.surfaces[0] = {{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}};
    frame.surface_velocities[0].resize(4);
    EXPECT_FALSE(changed_columns(picture(cloth, frame), picture("", {})).empty());
    frame.surfaces[0].pop_back();
    EXPECT_NE(complaint([&] { picture(cloth, frame); }).find("has 3 points here and 4 in the scene"),
              std::string::npos);
}

using BodyCaches = BodyCacheTest;

TEST_F(BodyCaches, are_drawn_meshed_and_exported) {
    const fs::path cache = run("a", sample_scene());
    const Scene scene = cache::load_cached_scene(cache);
    SilentProgress quiet;
    const RenderOptions options{.folder = cache, .first = 3, .sheet_frames = 0, .movie = false};
    EXPECT_EQ(render_cache(scene, options, quiet).rendered, 1);
    EXPECT_EQ(render_cache(scene, options, quiet).reused, 1);

    sim::BodyFrame bodies = read_bodies(scene, cache::Cache::open(cache), 3);
    const auto write_bodies = [&] {
        cache::Cache changed = cache::Cache::open_to_write(cache);
        io::FrameEntry entry = *changed.find(cache::series::bodies, 3);
        const WrittenFile file = io::write_arrays(changed.path(entry), sim::body_arrays(scene, bodies));
        entry.bytes = file.bytes;
        entry.hash = file.hash;
        changed.put(cache::series::bodies, entry);
        changed.commit_whole();
    };
    bodies.poses[0].position.x += 0.05;
    write_bodies();
    EXPECT_EQ(render_cache(scene, options, quiet).stale, 1) << "another file of bodies is another picture";

    MeshOptions mesh{.folder = cache, .first = 3, .last = 3};
    EXPECT_EQ(mesh_cache(scene, mesh, quiet).made, 1);
    EXPECT_EQ(mesh_cache(scene, mesh, quiet).reused, 1);
    bodies.poses[0].position.x -= 0.05;
    write_bodies();
    EXPECT_EQ(mesh_cache(scene, mesh, quiet).made, 1) << "bodies cut meshes";

    Scene wanted = scene;
    wanted.frames = {2, 3};
    wanted.mesh.formats = {surface::Format::ply, surface::Format::obj};
    EXPECT_EQ(export_bodies(wanted, {.folder = cache / "bodies", .cache = cache}, quiet).files, 8u);
    const geometry::Mesh crate = geometry::read_mesh(cache / "bodies/the_crate.0003.ply").mesh;
    EXPECT_EQ(crate.triangles.size(), 12u);
    const Box3d box = geometry::bounds(crate);
    const Vec3d middle = (box.lo + box.hi) * 0.5;
    // Single precision of files.
    EXPECT_LT(length(middle - bodies.state.bodies[0].center), 1e-6);
    EXPECT_EQ(cache::load_manifest(cache).series.at("bodies/cloth.obj").frames.size(), 2u);
    EXPECT_NE(complaint([&] {
                  export_bodies(tank_with(""), {.folder = cache, .cache = cache}, quiet);
              }).find("no bodies to export"),
              std::string::npos);
}

TEST_F(BodyCaches, have_statistics_that_agree_with_the_scene) {
    const auto all = io::read_statistics(run("a", tank_with(crate_body, 4)) / "statistics.jsonl");
    const io::BodyStatistics& body = all.back().bodies.at(0);
    EXPECT_EQ(body.kind, "rigid");
    EXPECT_NEAR(body.mass, 400 * 0.12 * 0.12 * 0.12, 1e-6);
    EXPECT_NEAR(body.force.y, body.buoyancy, 1e-12);
    EXPECT_NEAR(std::hypot(body.force.x, body.force.z), body.drag, 1e-12);
    EXPECT_LT(body.position.y, 0.17);
    const io::BodyLedger& ledger = all.back().ledger;
    // Three frames of gravity in single precision; what bodies have is what they were given.
    EXPECT_NEAR(ledger.gravity.y, -9.81 * body.mass * 3 / 24, 1e-6);
    EXPECT_LT(length(ledger.momentum - ledger.received - ledger.gravity - ledger.held), 1e-9);
    EXPECT_LT(length(ledger.momentum - body.velocity * body.mass), 1e-9);
}

}  // namespace
}  // namespace spindrift::stages
