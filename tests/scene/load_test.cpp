#include <filesystem>
#include <fstream>

#include "scenes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

TEST(ParseTest, three_lines_make_a_scene) {
    const Scene scene = parse_scene(small_scene, "dam.toml");
    EXPECT_EQ(scene.version, 1);
    EXPECT_EQ(scene.frames, (std::array<int, 2>{1, 120}));
    ASSERT_EQ(scene.liquid.size(), 1u);
    EXPECT_EQ(scene.liquid[0].spacing, 0.1);
    EXPECT_EQ(scene.liquid[0].fill.at(0).box, (Box3d{{0, 0, 0}, {1, 1, 1}}));
    EXPECT_FALSE(scene.domain);
    EXPECT_EQ(scene.file, "dam.toml");
}

TEST(ParseTest, mistakes_in_keys_are_shown_where_they_are) {
    const auto with_gravity = [](const std::string& gravity) {
        return complaints("gravity = " + gravity + "\n" + std::string(small_scene));
    };
    EXPECT_EQ(with_gravity("[[1, [0, 0, 0]], [30, [0, 1, 0]], [24, [0, 0, 0]]]"),
              "dam.toml:1:46: gravity: the keys' frames must ascend: 24 comes after 30");
    EXPECT_EQ(with_gravity("{ keys = [[1, [0, 0, 0]], [24, [0, -1e9, 0]]] }"),
              "dam.toml:1:46: gravity: -1000000000 m/s^2 is out of range; allowed: -10000 to 10000 m/s^2");
    EXPECT_EQ(with_gravity("{ keys = [[1, [0, 0, 0]]], interpolation = \"cubic\" }"),
              "dam.toml:1:54: interpolation: unknown word 'cubic'; allowed words: linear, smooth, constant");
}

TEST(ParseTest, every_key_reaches_its_member) {
    const Scene scene = parse_scene(full_scene, "sea.toml");
    EXPECT_EQ(scene.frames, (std::array<int, 2>{10, 20}));
    EXPECT_EQ(scene.seed, 42);
    EXPECT_EQ(scene.domain->open, (std::vector{collision::Side::top, collision::Side::front}));
    EXPECT_EQ(scene.liquid[0].material, Material::honey);
    EXPECT_EQ(scene.liquid[0].fill.at(1).sphere->radius, 0.4);
    EXPECT_EQ(scene.liquid[0].fill.at(2).cylinder->top, (Vec3d{2, 1, 1}));
    EXPECT_EQ(scene.collider.at(1).plane->normal, (Vec3d{0.1, 1, 0}));
    EXPECT_EQ(scene.force.at(0).type, forces::ForceType::vortex);
    EXPECT_EQ(scene.force.at(3).strength.keys.at(1).frame, 15.5);
    EXPECT_EQ(scene.force.at(3).radius->at(15), 0.75);
    EXPECT_EQ(scene.camera.at(1).at(15).position, (Vec3d{0, 1.6, 3}));
    EXPECT_EQ(scene.solver.acceleration, pbf::Acceleration::none);
    EXPECT_EQ(scene.solver.substeps, (std::array<int, 2>{2, 16}));
    EXPECT_EQ(scene.camera.at(0).fov_deg, 35);
    EXPECT_EQ(scene.render.range, (std::array<double, 2>{900, 1100}));
    EXPECT_FALSE(scene.render.ground);
}

TEST(ParseTest, mistakes_are_reported_with_line_and_column) {
    EXPECT_EQ(complaints("[[liquid]]\nspacng = 0.1\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n"),
              "dam.toml:1:1: 'spacing' is missing; add spacing = 0.02, the distance between particles in metres\n"
              "dam.toml:2:1: unknown key 'spacng'; did you mean 'spacing'?");
    EXPECT_EQ(complaints("[[liquid]]\nspacing = \"fine\"\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n"),
              "dam.toml:2:11: spacing: expected a number, found a string");
    EXPECT_EQ(complaints("[[liquid]]\nspacing = 0\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n"),
              "dam.toml:2:11: spacing: 0 m is out of range; allowed: 1e-06 to 1000 m");
    EXPECT_EQ(complaints("[[liquid]]\nspacing = 0.1\nmaterial = \"honny\"\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n"),
              "dam.toml:3:12: material: unknown word 'honny'; did you mean 'honey'?");
    EXPECT_EQ(complaints("[[liquid]]\nspacing = 0.1\nfill = { box = [[0, 0, nan], [1, 1, 1]] }\n"),
              "dam.toml:3:24: box: expected a finite number, found nan");
}

TEST(ParseTest, all_mistakes_are_reported_at_once_in_the_order_of_the_file) {
    EXPECT_EQ(complaints("frames = [120, 1]\nfps = 0\n[[liquid]]\nspacing = -1\nfill = {}\n[solver]\niteration = 5\n"),
              "dam.toml:2:7: fps: 0 1/s is out of range; allowed: more than 0, at most 100000 1/s\n"
              "dam.toml:4:11: spacing: -1 m is out of range; allowed: 1e-06 to 1000 m\n"
              "dam.toml:5:8: no shape is given; give one of 'box', 'sphere', 'cylinder', 'mesh', 'flood'\n"
              "dam.toml:7:1: unknown key 'iteration'; did you mean 'iterations'?");
}

TEST(ParseTest, syntax_errors_carry_their_place) {
    EXPECT_EQ(complaints("frames = [1, 120\nfps = 24\n").substr(0, 13), "dam.toml:2:1:");
    EXPECT_EQ(complaints("\n\n= 3").substr(0, 13), "dam.toml:3:1:");
    EXPECT_NE(complaints("fps = 24\nfps = 25\n"), "");
}

TEST(ParseTest, versions_from_the_future_are_refused_in_one_sentence) {
    EXPECT_EQ(
        complaints("version = 7\nnovelty = true\n"),
        "dam.toml:1:11: the scene is of version 7, but this program knows versions up to 1; use a newer Spindrift, "
        "or write the scene for version 1");
    EXPECT_NE(complaints("version = 0\n" + std::string(small_scene)), "");
    EXPECT_NE(complaints("version = \"one\"\n" + std::string(small_scene)), "");
}

TEST(ParseTest, hostile_input_is_refused) {
    EXPECT_NE(complaints("a = " + std::string(200000, '[')), "");
    EXPECT_NE(complaints("a = " + std::string(200000, '{')), "");
    std::string dotted = "a";
    for (int i = 0; i < 200000; ++i)
        dotted += ".a";
    EXPECT_NE(complaints(dotted + " = 1"), "");
    EXPECT_NE(complaints("[" + dotted + "]"), "");
    std::string quoted = "\"=\"";
    for (int i = 0; i < 100000; ++i)
        quoted += ".'['";
    EXPECT_NE(complaints(quoted + " = 1"), "");
    EXPECT_NE(complaints("frames = [1" + std::string(300000, ',')), "");
    EXPECT_NE(complaints("seed = 99999999999999999999999999"), "");
    EXPECT_NE(complaints("name = \"\xff\xfe\""), "");
    EXPECT_NE(complaints(std::string_view("a\0b = 1", 7)), "");
    EXPECT_NE(complaints("fps = 1979-05-27"), "");
    EXPECT_NE(complaints(std::string(5 << 20, ' ')), "");
}

TEST(ParseTest, dots_and_brackets_in_strings_and_comments_are_not_nesting) {
    const std::string dots(100, '.'), brackets(100, '[');
    const std::string extra = "# " + dots + brackets + "\n[output]\npath = \"\"\"\n" + dots + "\"" + brackets +
                              "\"\"\"\"\n" + "[render]\ncolor = '" + brackets + dots + "'\n";
    EXPECT_EQ(complaints(std::string(small_scene) + extra), "");
}

TEST(SceneFiles, scenes_are_read_from_files_and_caches_stand_beside_them) {
    const TemporaryFolder folder;
    std::ofstream(folder / "dam.toml") << small_scene;
    const Scene scene = load_scene(folder / "dam.toml", {"fps=30"});
    EXPECT_EQ(scene.fps, 30);
    EXPECT_EQ(cache_folder(scene), folder / "dam_cache");
    EXPECT_EQ(cache_folder(load_scene(folder / "dam.toml", {"output.path=elsewhere"})), folder / "elsewhere");
    EXPECT_EQ(cache_folder(load_scene(folder / "dam.toml", {"output.path=/far/away"})), "/far/away");
}

TEST(SceneFiles, missing_files_and_folders_are_input_errors) {
    const TemporaryFolder folder;
    const auto code = [](const std::filesystem::path& path) {
        try {
            load_scene(path);
        } catch (const IoError& error) {
            return error.code();
        }
        return ExitCode::done;
    };
    EXPECT_EQ(code(folder / "none.toml"), ExitCode::input);
    EXPECT_EQ(code(folder.path()), ExitCode::input);
}

}  // namespace
}  // namespace spindrift
