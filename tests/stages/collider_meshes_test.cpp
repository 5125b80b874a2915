#include "spindrift/stages/pictures/collider_meshes.h"

#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/scene_files.h"
#include "spindrift/cache/simulation_hash.h"
#include "spindrift/core/errors.h"
#include "spindrift/stages/pictures/shot.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

/// Some colliders, seen from 4 m in front of the origin; the liquid's start is out of their way.
Scene scene_with(const std::string& colliders) {
    return parse_scene(
        "[[liquid]]\nspacing = 0.05\nfill = { box = [[0, 5, 0], [0.2, 5.2, 0.2]] }\n"
        "[render]\nresolution = [96, 54]\nrange = [0, 1]\nground = false\n"
        "[[camera]]\nposition = [0, 0, 4]\ntarget = [0, 0, 0]\n" +
            colliders,
        "test.toml");
}

render::Image picture(const Scene& scene, int frame = 1) {
    FrameContent content{.frame = frame};
    content.particles.add("P", {ScalarType::f32, 3}, 1).as<Vec3f>()[0] = {0, 0, -2};
    content.particles.add("v", {ScalarType::f32, 3}, 1).as<Vec3f>()[0] = {0, 0, 0};
    return draw_frame(scene, plan_shot(scene, "", {}), content).image;
}

bool same(const render::Image& a, const render::Image& b) {
    return a.pixels == b.pixels;
}

constexpr const char* ball = "[[collider]]\nsphere = { center = [0, 0, 0], radius = 0.5 }\n";

TEST(ColliderMeshes, every_shape_is_seen_unless_it_is_told_not_to_be) {
    const render::Image bare = picture(scene_with(""));
    for (const std::string shape : {"sphere = { center = [0, 0, 0], radius = 0.5 }", "box = [[-1, -1, -1], [1, 1, 1]]",
                                    "cylinder = { base = [0, -0.5, 0], top = [0, 0.5, 0], radius = 0.3 }",
                                    "box = [[-1, -1, -1], [1, 1, 1]]\nrotation_deg = [0, 30, 0]"}) {
        const std::string collider = "[[collider]]\n" + shape + "\n";
        EXPECT_FALSE(same(picture(scene_with(collider)), bare)) << shape;
        EXPECT_TRUE(same(picture(scene_with(collider + "visible = false\n")), bare)) << shape;
    }
}

TEST(ColliderMeshes, are_drawn_where_they_are_at_the_frame) {
    const std::string look = ball;
    const Scene moving = scene_with(look + "position = [[1, [0, 0, 0]], [11, [1, 0, 0]]]\n");
    const Scene still = scene_with(look + "position = [0.5, 0, 0]\n");
    EXPECT_TRUE(same(picture(moving, 6), picture(still, 6)));
    EXPECT_FALSE(same(picture(moving, 1), picture(moving, 6)));
    EXPECT_FALSE(same(picture(moving, 1), picture(scene_with(look + "scale = 0.5\n"))));
}

TEST(ColliderMeshes, have_the_colour_and_opacity_of_the_scene) {
    const Vec3f red = picture(scene_with(std::string(ball) + "color = [0.7, 0.05, 0.05]\n")).at(48, 27);
    EXPECT_GT(red.x, 3 * red.z);
    const Scene glass = scene_with(std::string(ball) + "color = [0.7, 0.05, 0.05]\nopacity = 0.2\n");
    const Vec3f pale = picture(glass).at(48, 27), bare = picture(scene_with("")).at(48, 27);
    EXPECT_LT(length(pale - bare), length(red - bare));
    const Vec3f box =
        picture(scene_with("[[collider]]\nbox = [[-1, -1, -1], [1, 1, 1]]\ncolor = [0.7, 0, 0]\n")).at(48, 27);
    EXPECT_GT(box.x, 3 * box.z);
}

TEST(ColliderMeshes, containers_do_not_hide_what_they_hold) {
    const Scene container = scene_with("[[collider]]\nbox = [[-1, -1, -3], [1, 1, 1]]\nmode = \"solid_outside\"\n");
    const Vec3f seen = picture(container).at(48, 27), bare = picture(scene_with("")).at(48, 27);
    EXPECT_LT(length(seen - bare), 0.5f * length(bare));
}

TEST(ColliderMeshes, automatic_cameras_see_where_colliders_go) {
    const Scene moving = scene_with(std::string(ball) + "position = [[1, [0, 0, 0]], [120, [3, 0, 0]]]\n");
    const Extent extent = measure_shot(moving, {});
    ASSERT_TRUE(extent.box);
    EXPECT_NEAR(extent.box->lo.x, -0.5, 0.01);
    EXPECT_NEAR(extent.box->hi.x, 3.5, 0.01);
}

class ColliderFiles : public ::testing::Test {
  protected:
    Scene scene(const std::string& collider) {
        Scene made = scene_with("[[collider]]\n" + collider);
        made.file = folder / "test.toml";
        return made;
    }
    void touch(const std::string& name) { std::ofstream(folder / name) << "v 0 0 0\n"; }
    std::filesystem::path path(const Scene& from, int frame) {
        return collision::MeshSource(from.collider[0], from.file.parent_path()).file(frame);
    }
    std::string file(const Scene& from, int frame) { return path(from, frame).filename().string(); }

    TemporaryFolder folder;
};

TEST_F(ColliderFiles, lie_beside_the_scene) {
    EXPECT_EQ(path(scene("mesh = \"cup.obj\"\n"), 7), folder / "cup.obj");
}

TEST_F(ColliderFiles, are_found_from_a_copy_of_the_scene_in_another_folder) {
    const Scene original = scene("mesh = \"models/cup.obj\"\nfriction_map = \"rough.png\"\n");
    Scene copy = cache::relocated(original, folder / "cache/deep");
    EXPECT_EQ(copy.collider[0].mesh, "../../models/cup.obj");
    EXPECT_EQ(copy.collider[0].friction_map, "../../rough.png");
    copy.file = folder / "cache/deep/scene.toml";
    EXPECT_EQ(path(copy, 1).lexically_normal(), path(original, 1));
    EXPECT_EQ(cache::simulation_hash(copy), cache::simulation_hash(original)) << "a resume from the copy goes on";

    const Scene absolute = scene("mesh = \"/models/cup.obj\"\n");
    EXPECT_EQ(cache::relocated(absolute, folder / "cache").collider[0].mesh, "/models/cup.obj");
}

TEST_F(ColliderFiles, looks_do_not_change_the_simulation) {
    const Scene plain = scene("mesh = \"cup.obj\"\n");
    EXPECT_EQ(cache::simulation_hash(scene("mesh = \"cup.obj\"\ncolor = [1, 0, 0]\nopacity = 0.3\nvisible = false\n")),
              cache::simulation_hash(plain));
    EXPECT_NE(cache::simulation_hash(scene("mesh = \"mug.obj\"\n")), cache::simulation_hash(plain));
    EXPECT_NE(cache::simulation_hash(scene("mesh = \"cup.obj\"\nfriction = 0.5\n")), cache::simulation_hash(plain));
}

TEST_F(ColliderFiles, that_are_edited_change_the_simulation) {
    const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; };
    write("cup.obj", "v 0 0 0\n");
    write("rough.png", "a");
    write("a.0001.ply", "1");
    write("a.0002.ply", "2");
    write("b.gltf", R"({"buffers": [{"uri": "b.bin"}, {"uri": "data:,"}, 3]})");
    write("b.bin", "123");
    const auto hashes = [&] {
        return std::vector{cache::simulation_hash(scene("mesh = \"cup.obj\"\nfriction_map = \"rough.png\"\n")),
                           cache::simulation_hash(scene("mesh = \"a.####.ply\"\n")),
                           cache::simulation_hash(scene("mesh = \"b.gltf\"\n"))};
    };
    const std::vector<std::string> before = hashes();
    EXPECT_EQ(hashes(), before);
    write("a.txt", "something else");
    EXPECT_EQ(hashes(), before);
    write("cup.obj", "v 0 0 1\n");
    write("a.0003.ply", "3");
    write("b.bin", "124");
    const std::vector<std::string> after = hashes();
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NE(after[i], before[i]) << i;
    write("rough.png", "b");
    EXPECT_NE(hashes()[0], after[0]);
    write("a.0003.ply", "33");
    EXPECT_NE(hashes()[1], after[1]);
}

TEST_F(ColliderFiles, of_a_sequence_follow_the_frames_and_stay_at_its_ends) {
    for (const char* name : {"a.0003.ply", "a.0004.ply", "a.0005.ply", "a.x.ply", "b.0001.ply", "a.12345678901.ply"})
        touch(name);
    const Scene numbered = scene("mesh = \"a.####.ply\"\n");
    EXPECT_EQ(file(numbered, 4), "a.0004.ply");
    EXPECT_EQ(file(numbered, 1), "a.0003.ply");
    EXPECT_EQ(file(numbered, 90), "a.0005.ply");
    const Scene started = scene("mesh = \"a.####.ply\"\nstart = 20\n");
    EXPECT_EQ(file(started, 10), "a.0003.ply");
    EXPECT_EQ(file(started, 21), "a.0004.ply");
    EXPECT_EQ(file(started, 99), "a.0005.ply");
}

TEST_F(ColliderFiles, that_are_missing_are_named) {
    for (const std::string mesh : {"cup.obj", "cup.####.obj"}) {
        try {
            const Scene made = scene("mesh = \"" + mesh + "\"\n");
            collision::MeshSource(made.collider[0], made.file.parent_path()).at(7);
            FAIL() << mesh;
        } catch (const IoError& error) {
            EXPECT_NE(std::string(error.what()).find("cup."), std::string::npos) << error.what();
        }
    }
}

TEST_F(ColliderFiles, are_drawn) {
    std::ofstream(folder / "sheet.obj") << "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_FALSE(same(picture(scene("mesh = \"sheet.obj\"\nmode = \"shell\"\n")), picture(scene_with(""))));
}

}  // namespace
}  // namespace spindrift::stages
