#include "scenes.h"
#include <gtest/gtest.h>

#include "spindrift/core/log.h"

namespace spindrift {
namespace {

std::string liquid_with(const std::string& fill, const std::string& rest = "") {
    return "[[liquid]]\nspacing = 0.1\nfill = " + fill + "\n" + rest;
}

const std::string unit_box = "{ box = [[0, 0, 0], [1, 1, 1]] }";
const std::string unit_domain = "[domain]\nbox = [[0, 0, 0], [1, 1, 1]]\n";

TEST(ValidateTest, a_scene_needs_a_liquid_with_a_fill) {
    EXPECT_EQ(complaints(""), "dam.toml:1:1: 'liquid' is missing; add [[liquid]] with spacing and fill");
    EXPECT_EQ(complaints("liquid = []"), "dam.toml:1:10: 'liquid' is missing; add [[liquid]] with spacing and fill");
    EXPECT_EQ(
        complaints("[[liquid]]\nspacing = 0.1\n"),
        "dam.toml:1:1: no liquid anywhere: add fill = { box = [[0, 0, 0], [1, 1, 1]] } to a [[liquid]], the shape "
        "it has at the start");
    EXPECT_EQ(complaints(liquid_with(unit_box, liquid_with(unit_box))),
              "dam.toml:4:1: another liquid is called 'liquid' already; give each its own name");
}

TEST(ValidateTest, contrasts_beyond_what_is_simulated_are_refused_with_advice) {
    const auto pair = [](const std::string& a, const std::string& b) {
        return "[[liquid]]\nname = \"a\"\nfill = " + unit_box + "\n" + a + "\n[[liquid]]\nname = \"b\"\n" + b + "\n";
    };
    EXPECT_EQ(complaints(pair("spacing = 0.1", "spacing = 0.025")), "");
    EXPECT_EQ(
        complaints(pair("spacing = 0.1", "spacing = 0.02")),
        "dam.toml:7:11: the spacings of 'a' and 'b' differ by a factor of 5; liquids can meet up to 4, so make the "
        "coarse one 0.08 m or finer");
    EXPECT_EQ(complaints(pair("spacing = 0.1\ndensity = 1000", "spacing = 0.1\ndensity = 1")), "");
    EXPECT_EQ(
        complaints(pair("spacing = 0.1\ndensity = 4000", "spacing = 0.1\ndensity = 1")),
        "dam.toml:9:11: 'a' is 4000 times as dense as 'b'; up to 1000 is simulated, so make the light one at least "
        "4 kg/m^3 or leave it out as air");
    EXPECT_EQ(complaints(pair("spacing = 0.1\ntension = 1.5", "spacing = 0.1")),
              "dam.toml:5:11: tension: 1.5 is out of range; allowed: 0 to 1");
    EXPECT_EQ(complaints(pair("spacing = 0.1\ndensity = -1", "spacing = 0.1")),
              "dam.toml:5:11: density: -1 kg/m^3 is out of range; allowed: 1 to 100000 kg/m^3");
}

TEST(ValidateTest, grids_are_written_by_solvers_that_have_one) {
    const std::string wish = std::string(small_scene) + "[output]\ngrids = [\"vel\", \"pressure\"]\n";
    EXPECT_EQ(complaints("solver = \"apic\"\n" + wish), "");
    EXPECT_EQ(complaints(wish),
              "dam.toml:5:9: grids: position based fluids have no grid to write; write solver = \"flip\" (or \"apic\", "
              "\"pic\") at the top of the scene, or take output.grids out");
    EXPECT_EQ(complaints("solver = \"flip\"\n" + std::string(small_scene) + "[output]\ngrids = [\"pressur\"]\n"),
              "dam.toml:6:10: grids: unknown word 'pressur'; did you mean 'pressure'?");
}

TEST(ValidateTest, frames_run_forward) {
    EXPECT_EQ(complaints("frames = [120, 1]\n" + std::string(small_scene)),
              "dam.toml:1:10: frames: the last frame, 1, comes before the first, 120; write [first, last]");
}

TEST(ValidateTest, boxes_have_a_volume) {
    EXPECT_EQ(complaints(liquid_with("{ box = [[0, 0, 0], [1, 0, 1]] }")),
              "dam.toml:3:16: box: the box is empty along y, from 0 to 0; write [[low x, y, z], [high x, y, z]]");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[domain]\nbox = [[0, 0, 3], [1, 1, 1]]\n")),
              "dam.toml:5:7: box: the box is inverted along z, from 3 to 1; write [[low x, y, z], [high x, y, z]]");
}

TEST(ValidateTest, shapes_are_sound) {
    EXPECT_EQ(complaints(liquid_with("{ cylinder = { base = [0, 0, 0], top = [0, 0, 0], radius = 1 } }")),
              "dam.toml:3:47: top: the ends of the cylinder are the same point; move 'top' or 'base'");
    EXPECT_EQ(complaints(liquid_with("{ box = [[0, 0, 0], [1, 1, 1]], sphere = { center = [0, 0, 0], radius = 1 } }")),
              "dam.toml:3:8: 'box' and 'sphere' are given; give only one");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[collider]]\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }\n")),
              "dam.toml:5:39: normal: a direction must not be [0, 0, 0]");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[collider]]\nname = \"x\"\n")),
              "dam.toml:4:1: no shape is given; give one of 'box', 'plane', 'sphere', 'cylinder', 'mesh', 'vdb'");
}

TEST(ValidateTest, fills_are_at_least_as_thick_as_the_spacing) {
    const std::string tail =
        " m thick and would hold no particle at a spacing of 0.1 m; make it larger or the spacing smaller";
    EXPECT_EQ(complaints(liquid_with("{ box = [[0, 0, 0], [1, 0.05, 1]] }")), "dam.toml:3:16: the fill is 0.05" + tail);
    EXPECT_EQ(complaints(liquid_with("{ sphere = { center = [0, 0, 0], radius = 0.02 } }")),
              "dam.toml:3:19: the fill is 0.04" + tail);
    EXPECT_EQ(complaints(liquid_with("{ cylinder = { base = [0, 0, 0], top = [0, 0.03, 0], radius = 1 } }")),
              "dam.toml:3:21: the fill is 0.03" + tail);
    EXPECT_EQ(complaints(liquid_with("{ box = [[0.2, 0, 0], [0.3, 1, 1]] }")), "");
}

TEST(ValidateTest, scenes_that_cannot_fit_into_memory_are_refused_with_what_would_fit) {
    const std::string text = complaints(liquid_with(unit_box), {"liquid.spacing=0.00001"});
    EXPECT_NE(text.find("particles would take 1.65e+05 TB of memory and this machine has"), std::string::npos) << text;
    try {
        parse_scene(liquid_with(unit_box), "dam.toml", {"liquid.spacing=0.00001"});
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::out_of_resources) << "as when memory runs out later";
    }
    const auto at = text.find("a spacing of ");
    ASSERT_NE(at, std::string::npos);
    const std::string spacing = text.substr(at + 13, text.find(" m fits") - at - 13);
    EXPECT_EQ(complaints(liquid_with(unit_box), {"liquid.spacing=" + spacing}), "");
}

TEST(ValidateTest, fills_stay_inside_the_domain) {
    EXPECT_EQ(complaints(liquid_with(unit_box, unit_domain)), "");
    EXPECT_EQ(complaints(liquid_with("{ box = [[2, 0, 0], [3, 1, 1]] }", unit_domain)),
              "dam.toml:3:16: the fill lies outside the domain");
    const std::string high = "{ box = [[0, 0, 0], [1, 1.25, 1]] }";
    EXPECT_EQ(complaints(liquid_with(high, unit_domain)),
              "dam.toml:3:16: the fill sticks out of the domain by 0.25 m at the top; make it smaller, or the domain "
              "larger, or open = [\"top\"]");
    EXPECT_EQ(complaints(liquid_with(high, unit_domain + "open = \"top\"\n")), "");
    EXPECT_EQ(complaints(liquid_with("{ box = [[0, 2, 0], [1, 3, 1]] }", unit_domain + "open = [\"top\"]\n")), "");
    EXPECT_EQ(complaints(liquid_with("{ cylinder = { base = [0.5, 0, 0.5], top = [0.5, 1, 0.5], radius = 0.5 } }",
                                     unit_domain)),
              "");
}

TEST(ValidateTest, fills_are_not_inside_colliders) {
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[collider]]\nname = \"rock\"\nbox = [[-1, -1, -1], [2, 2, 2]]\n")),
              "dam.toml:3:16: the fill lies inside the collider 'rock'; move one of them");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[collider]]\nplane = { point = [0, 5, 0], normal = [0, 2, 0] }\n")),
              "dam.toml:3:16: the fill lies inside the collider 0; move one of them");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[collider]]\nbox = [[0.5, -1, -1], [2, 2, 2]]\n")), "");
}

TEST(ValidateTest, levels_of_detail_need_a_camera_and_a_range) {
    const std::string camera = "[[camera]]\nname = \"front\"\nposition = [0, 0, 5]\ntarget = [0, 0, 0]\n";
    const auto levels = [&](const std::string& lod) {
        return complaints(liquid_with(unit_box, camera + "[lod]\n" + lod + "\n"));
    };
    EXPECT_EQ(levels("model = \"dtvs\""), "");
    EXPECT_EQ(
        complaints(liquid_with(unit_box, "[lod]\nmodel = \"dtc\"\n")),
        "dam.toml:5:9: levels of detail by dtc need a camera, and the scene has none; add [[camera]] with position "
        "and target, or write model = \"none\"");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[lod]\nfewest = 2\n")), "") << "nobody looks at them";
    EXPECT_EQ(levels("model = \"dtvs\"\ncameras = [\"frnt\"]"),
              "dam.toml:10:11: the scene has no camera 'frnt'; did you mean 'front'?");
    EXPECT_EQ(levels("model = \"dtvs\"\ncameras = [\"x\"]"),
              "dam.toml:10:11: the scene has no camera 'x'; there are: front");
    EXPECT_EQ(levels("model = \"dtvs\"\nfewest = 7"),
              "dam.toml:10:10: the fewest iterations are more than the most, which are 4; make it smaller, or "
              "solver.iterations larger");
    EXPECT_EQ(levels("model = \"dtvs\"\nnear = 2\nfar = 1"),
              "dam.toml:11:7: far: is not farther than 'near': in between iterations fall from most to fewest");
    EXPECT_EQ(levels("model = \"depth\""), "dam.toml:9:9: model: unknown word 'depth'; allowed words: none, dtc, dtvs");
}

TEST(ValidateTest, cameras_look_somewhere_and_names_are_unique) {
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[camera]]\nposition = [1, 1, 1]\ntarget = [1, 1, 1]\n")),
              "dam.toml:6:10: target: the camera looks at the point where it stands; move 'target' or 'position'");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[camera]]\nposition = [1, 1, 1]\ntarget = [1, 0, 1]\n")),
              "dam.toml:4:1: up: points along the view; choose another direction, such as [0, 0, 1]");
    EXPECT_EQ(complaints(liquid_with(unit_box,
                                     "[[camera]]\nposition = [[1, [1, 1, 1]], [9, [0, 0, 0]]]\n"
                                     "target = [0, 0, 0]\n")),
              "dam.toml:6:10: target: the camera looks at the point where it stands at frame 9; move 'target' or "
              "'position'");
    const std::string camera = "[[camera]]\nposition = [1, 1, 1]\ntarget = [0, 0, 0]\n";
    EXPECT_EQ(complaints(liquid_with(unit_box, camera + camera)),
              "dam.toml:7:1: another camera is called 'camera' already; give each its own name");
}

TEST(ValidateTest, forces_have_only_keys_of_their_type) {
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[force]]\ntype = \"drag\"\nrate = 1\nstrength = 2\n")),
              "dam.toml:7:12: strength: not used by a force of type 'drag', which uses: position, radius, "
              "falloff, rate, wind");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[force]]\nrate = 1\n")),
              "dam.toml:4:1: 'type' is missing; add type = \"constant\", \"point\", \"line\", \"vortex\", \"drag\" or "
              "\"noise\"");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[force]]\ntype = \"noise\"\nposition = [0, 0, 0]\n")),
              "dam.toml:6:12: position: has no effect without a region; add radius = 1");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[[force]]\ntype = \"constant\"\nactive = [24, 1]\n")),
              "dam.toml:6:10: active: the last frame comes before the first; write [first, last]");
    EXPECT_EQ(
        complaints(liquid_with(unit_box, "[[force]]\ntype = \"line\"\naxis = [[1, [0, 1, 0]], [2, [0, 0, 0]]]\n")),
        "dam.toml:6:8: axis: a direction must not be [0, 0, 0]");
}

TEST(ValidateTest, output_names_can_be_file_names) {
    for (const char* name : {"", "a/b", "..", "x\\u0000y"})
        EXPECT_NE(complaints(liquid_with(unit_box, "[output]\nname = \"" + std::string(name) + "\"\n")), "") << name;
}

TEST(ValidateTest, overlapping_fills_are_a_warning) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    complaints(liquid_with("[" + unit_box + ", { sphere = { center = [1, 1, 1], radius = 0.5 } }]"));
    complaints(liquid_with("[" + unit_box + ", { sphere = { center = [1.4, 1.4, 1.4], radius = 0.5 } }]"));
    set_log_sink(before);
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "dam.toml:3:54: fills 0 and 1 overlap; particles are placed only once where they do"});
}

TEST(ValidateTest, fills_that_whole_layers_leave_gaps_in_are_a_warning) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    complaints("[[liquid]]\nspacing = 0.1\nfill = { box = [[0, 0, 0], [1, 0.5, 1]] }\n");
    complaints("[[liquid]]\nspacing = 0.1\nfill = { box = [[0, 0, 0], [1, 0.59, 1]] }\n");
    set_log_sink(before);
    EXPECT_EQ(warnings,
              std::vector<std::string>{
                  "dam.toml:3:8: fill 0 is 10 x 5.9 x 10 spacings; whole layers hold 85 % of its volume, so it "
                  "will settle lower; sides that are multiples of 0.1 m lose nothing"});
}

TEST(ValidateTest, lengths_that_look_like_centimetres_are_a_warning) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    const std::string scene = "[[liquid]]\nspacing = 2\nfill = { box = [[0, 0, 0], [100, 50, 100]] }\n";
    complaints(scene);
    // Who also gave gravity in centimetres knows what a unit is.
    complaints("gravity = [0, -981, 0]\n" + scene);
    set_log_sink(before);
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "dam.toml:2:11: lengths are in metres, so a spacing of 2 m is for rivers and seas; if the "
                            "scene was made in centimetres divide its lengths by 100"});
}

TEST(ValidateTest, settings_of_another_solver_are_warnings_where_they_stand) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    const std::string settings = "iterations = 8\nsubsteps = [2, 8]\n[flip]\ncfl = 3\n";
    EXPECT_EQ(complaints(liquid_with(unit_box, "[solver]\nmethod = \"pic\"\n" + settings)), "");
    EXPECT_EQ(complaints(liquid_with(unit_box, "[solver]\nmethod = \"pbf\"\n" + settings)), "");
    Scene made = parse_scene(liquid_with(unit_box, "[solver]\nmethod = \"apic\"\n"), "dam.toml");
    validate_scene(made);
    set_log_sink(before);
    EXPECT_EQ(
        warnings,
        (std::vector<std::string>{
            "dam.toml:6:1: solver.iterations is not used by solver = \"pic\"; its settings are those of [flip], and "
            "solver.substeps",
            "dam.toml:9:1: flip.cfl is not used by solver = \"pbf\"; its settings are those of [solver]"}));
}

TEST(ValidateTest, scenes_made_by_programs_are_checked_the_same_way) {
    Scene scene = parse_scene(full_scene, "sea.toml");
    validate_scene(scene);
    scene.solver.iterations = 0;
    scene.frames = {5, 1};
    scene.liquid[0].fill[1].sphere->radius = -1;
    try {
        validate_scene(scene);
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_STREQ(error.what(),
                     "liquid.0.fill.1.sphere: radius: -1 m is out of range; allowed: more than 0, at most 1000000 m\n"
                     "solver: iterations: 0 is out of range; allowed: 1 to 100\n"
                     "scene: frames: the last frame, 1, comes before the first, 5; write [first, last]");
    }
}

TEST(ValidateTest, a_flood_has_a_start_and_something_that_holds_it) {
    const auto flood = [](const std::string& keys, const std::string& rest) {
        return complaints("[[liquid]]\nspacing = 0.1\nfill = { flood = { " + keys + " } }\n" + rest);
    };
    const std::string domain = "[domain]\nbox = [[0, 0, 0], [1, 1, 1]]\n";
    EXPECT_EQ(flood("from = [0.5, 0.5, 0.5], level = 0.8", domain), "");
    EXPECT_EQ(flood("from = [0.5, 0.9, 0.5], level = 0.8", domain),
              "dam.toml:3:27: from: the point lies above 'level', so no liquid would be there; raise one or lower the "
              "other");
    EXPECT_EQ(flood("from = [5, 0.5, 0.5], level = 0.8", domain),
              "dam.toml:3:18: there is no room for liquid at 'from': it lies inside a collider or outside the domain; "
              "move it to where liquid shall be");
    EXPECT_EQ(flood("from = [5, 0.5, 0.5], level = 0.8", ""),
              "dam.toml:3:18: there is nothing that could hold the liquid: a flood needs a [domain] or a collider that "
              "is a container");
    EXPECT_EQ(flood("from = [5, 0.5, 0.5]", domain),
              "dam.toml:3:18: 'level' is missing: Height (y) up to which it is filled, in m");
}

TEST(ValidateTest, only_a_mesh_is_placed) {
    EXPECT_EQ(complaints("[[liquid]]\nspacing = 0.1\nfill = { box = [[0, 0, 0], [1, 1, 1]], scale = 2 }\n"),
              "dam.toml:3:48: scale: it places a 'mesh'; other shapes stand where their numbers say, so remove it");
}

TEST(ValidateTest, mistakes_in_looks_are_told_where_they_are) {
    const std::string look = std::string(small_scene) + R"([[render.module]]
name = "view"
kind = "beauty"
[[render.module]]
name = "dailies"
kind = "encode"
inputs = ["veiw"]
)";
    EXPECT_EQ(complaints(look), "dam.toml:10:10: inputs: there is no module 'veiw'; did you mean 'view'?");
    EXPECT_EQ(complaints(look, {"render.module.dailies.inputs=[\"view\"]"}), "");
}

}  // namespace
}  // namespace spindrift
