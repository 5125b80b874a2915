// What is said about emitters and killers that cannot work.

#include "scenes.h"
#include <gtest/gtest.h>

#include "spindrift/core/log.h"

namespace spindrift {
namespace {

const std::string water = "[[liquid]]\nname = \"water\"\nspacing = 0.1\n";
const std::string oil = "[[liquid]]\nname = \"oil\"\nspacing = 0.1\n";
const std::string domain = "[domain]\nbox = [[0, 0, 0], [4, 4, 4]]\n";

/// The emitter's table starts at line 4.
std::string emitter(const std::string& keys, const std::string& rest = "") {
    return water + "[[emitter]]\n" + keys + "\n" + rest;
}

const std::string jet = "disc = { radius = 0.3 }\nspeed = 2\nposition = [2, 2, 2]\n";

TEST(EmitterRulesTest, a_scene_may_start_without_liquid_if_some_comes_in) {
    EXPECT_EQ(complaints(emitter(jet, domain)), "");
}

TEST(EmitterRulesTest, exactly_one_shape_is_given) {
    EXPECT_EQ(complaints(emitter("speed = 2")),
              "dam.toml:4:1: no shape is given; give one of 'disc', 'rectangle', 'box', 'sphere', 'cylinder', 'mesh', "
              "'collider'");
    EXPECT_EQ(complaints(emitter("speed = 2\ndisc = { radius = 1 }\nbox = [[0, 0, 0], [1, 1, 1]]")),
              "dam.toml:4:1: 'disc' and 'box' are given; give only one");
}

TEST(EmitterRulesTest, a_nozzle_has_a_speed_or_a_rate) {
    EXPECT_EQ(complaints(emitter("disc = { radius = 0.3 }")),
              "dam.toml:4:1: a nozzle needs 'speed' or 'rate'; add speed = 2, in m/s, or rate = 0.001, in m^3/s");
    EXPECT_EQ(complaints(emitter("rectangle = { size = [1, 1] }\nspeed = 2\nrate = 1")),
              "dam.toml:7:8: rate: a nozzle has 'speed' or 'rate', not both; remove one of them");
    EXPECT_EQ(complaints(emitter(jet + "velocity = [1, 0, 0]")),
              "dam.toml:8:12: velocity: a nozzle has 'direction' and 'speed' or 'rate' instead; remove it");
    EXPECT_EQ(complaints(emitter(jet + "direction = [0, 0, 0]")),
              "dam.toml:8:13: direction: a direction must not be [0, 0, 0]");
}

TEST(EmitterRulesTest, a_volume_has_a_velocity) {
    EXPECT_EQ(complaints(emitter("box = [[0, 0, 0], [1, 1, 1]]\nspeed = 2")),
              "dam.toml:6:9: speed: only a nozzle (disc, rectangle) has it; give a volume a 'velocity'");
    EXPECT_EQ(complaints(emitter("box = [[0, 0, 0], [1, 1, 1]]\nrate = 2\nvelocity = [0, 1, 0]")), "");
}

TEST(EmitterRulesTest, numbers_are_in_their_limits) {
    EXPECT_EQ(complaints(emitter("disc = { radius = 0.3 }\nspeed = -2")),
              "dam.toml:6:9: speed: -2 m/s is out of range; allowed: 0 to 10000 m/s");
    EXPECT_EQ(complaints(emitter(jet + "jitter = 0.7")),
              "dam.toml:8:10: jitter: 0.7 is out of range; allowed: 0 to 0.5");
    EXPECT_EQ(complaints(emitter(jet + "active = [20, 10]")),
              "dam.toml:8:10: active: the last frame comes before the first; write [first, last]");
    EXPECT_EQ(complaints(emitter(jet + "limit = 0")),
              "dam.toml:8:9: limit: 0 is out of range; allowed: 1 to 1000000000000");
}

TEST(EmitterRulesTest, liquids_are_found_by_name) {
    EXPECT_EQ(complaints(emitter(jet + "liquid = \"watr\"")),
              "dam.toml:8:10: liquid: there is no liquid 'watr'; did you mean 'water'?");
    EXPECT_EQ(complaints(emitter(jet + "liquid = \"mercury\"", oil)),
              "dam.toml:8:10: liquid: there is no liquid 'mercury'; there are: water, oil");
    EXPECT_EQ(complaints(emitter(jet, oil)),
              "dam.toml:4:1: 'liquid' is missing; the scene has several, add liquid = \"water\"");
    EXPECT_EQ(complaints(emitter(jet + "liquid = \"oil\"", oil)), "");
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\nage = 2\nliquid = \"wate\"\n")),
              "dam.toml:11:10: liquid: there is no liquid 'wate'; did you mean 'water'?");
}

TEST(EmitterRulesTest, emitters_stand_in_the_open) {
    const std::string away = "disc = { radius = 0.3 }\nspeed = 2\nposition = [9, 2, 2]\n";
    EXPECT_EQ(complaints(emitter(away, domain)), "dam.toml:5:8: the emitter lies outside the domain; move one of them");
    EXPECT_EQ(complaints(emitter("sphere = { center = [0, 0, 0], radius = 1 }\nposition = [2, 9, 2]", domain)),
              "dam.toml:5:10: the emitter lies outside the domain; move one of them");
    EXPECT_EQ(complaints(emitter(jet, "[[collider]]\nname = \"rock\"\nbox = [[1, 1, 1], [3, 3, 3]]\n")),
              "dam.toml:5:8: the emitter lies inside the collider 'rock'; move one of them");
    // Flush with a wall.
    EXPECT_EQ(complaints(emitter(jet, "[[collider]]\nbox = [[1, 2, 1], [3, 3, 3]]\n")), "");
}

TEST(EmitterRulesTest, a_nozzle_that_is_partly_in_a_wall_is_a_warning) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    complaints(emitter(jet, "[[collider]]\nbox = [[2.1, 1, 1], [3, 3, 3]]\n"));
    set_log_sink(before);
    EXPECT_EQ(warnings,
              std::vector<std::string>{"dam.toml:5:8: part of the nozzle lies inside walls and gives no liquid"});
}

TEST(EmitterRulesTest, a_nozzle_narrower_than_a_spacing_is_a_warning) {
    std::vector<std::string> warnings;
    const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { warnings.push_back(text); });
    complaints(emitter("rectangle = { size = [1, 0.08] }\nspeed = 2\nposition = [2, 2, 2]\n"));
    complaints(emitter("rectangle = { size = [1, 0.1] }\nspeed = 2\nposition = [2, 2, 2]\n"));
    set_log_sink(before);
    EXPECT_EQ(warnings,
              std::vector<std::string>{
                  "dam.toml:5:13: the nozzle is 0.08 m wide, less than the spacing of 0.1 m: its liquid comes "
                  "as one string of particles; for a round jet take a spacing of 0.02 m or less"});
}

TEST(EmitterRulesTest, killers_leave_emitters_room) {
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\nname = \"drain\"\ninside = { box = [[1, 1, 1], [3, 3, 3]] }\n")),
              "dam.toml:5:8: the killer 'drain' would take at once all that comes in here: the emitter lies inside its "
              "shape 'inside'; move one of them");
    const std::string outside = "[[killer]]\noutside = { sphere = { center = [9, 9, 9], radius = 1 } }\n";
    EXPECT_EQ(
        complaints(emitter(jet, outside)),
        "dam.toml:5:8: the killer 0 would take at once all that comes in here: the emitter lies outside its shape "
        "'outside'; move one of them");
    EXPECT_EQ(complaints(emitter(jet, outside + "age = 2\n")), "") << "not at once";
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\ninside = { box = [[2, 1, 1], [3, 3, 3]] }\n")), "") << "not all";
}

TEST(EmitterRulesTest, a_killer_has_a_condition) {
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\nname = \"idle\"\n")),
              "dam.toml:9:1: no condition is given; give at least one of 'age', 'speed', 'slower', 'isolated', 'most', "
              "'inside', 'outside'");
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\ninside = { }\n")),
              "dam.toml:10:10: no shape is given; give one of 'box', 'sphere', 'cylinder'");
    EXPECT_EQ(complaints(emitter(jet, "[[killer]]\nage = -1\n")),
              "dam.toml:10:7: age: -1 s is out of range; allowed: 0 to 1000000000 s");
}

TEST(EmitterRulesTest, names_are_unique) {
    const std::string killer = "[[killer]]\nname = \"a\"\nage = 1\n";
    EXPECT_EQ(complaints(emitter(jet, killer + killer)),
              "dam.toml:13:8: another killer is called 'a' already; give each its own name");
}

TEST(EmitterRulesTest, more_than_fits_the_machine_within_a_frame_is_refused) {
    const std::string text = complaints(emitter("rectangle = { size = [1000, 1000] }\nspeed = 10000"));
    EXPECT_NE(text.find("dam.toml:3:11: 416.7 G particles would take"), std::string::npos) << text;
}

TEST(EmitterRulesTest, a_surface_has_a_flow_and_stands_where_it_stands) {
    const std::string ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [0, 0, 0], radius = 1 }\n";
    EXPECT_EQ(complaints(emitter("collider = \"ball\"\nspeed = 2", ball)), "");
    EXPECT_EQ(complaints(emitter("mesh = \"creature.####.ply\"\nstart = 5\nrate = 2\nposition = [1, 0, 0]")), "");
    EXPECT_EQ(complaints(emitter("collider = \"ball\"", ball)),
              "dam.toml:4:1: a surface needs 'speed' or 'rate'; add speed = 2, in m/s, or rate = 0.001, in m^3/s");
    EXPECT_EQ(complaints(emitter("collider = \"ball\"\nspeed = 2\nposition = [1, 0, 0]", ball)),
              "dam.toml:7:12: position: the emitter is where its collider is; remove it, or give it to the collider");
    EXPECT_EQ(complaints(emitter("collider = \"ball\"\nspeed = 2\ndirection = [1, 0, 0]", ball)),
              "dam.toml:7:13: direction: liquid leaves a surface along its normals with 'speed' or 'rate'; remove it");
    EXPECT_EQ(complaints(emitter("mesh = \"creature.ply\"\nspeed = 2\nstart = 4")),
              "dam.toml:7:9: start: only a sequence of meshes (name.####.ply) has a start");
    EXPECT_EQ(complaints(emitter(jet + "emission_map = \"a.png\"")),
              "dam.toml:8:16: emission_map: only a surface (mesh, collider) has it; remove it");
}

TEST(EmitterRulesTest, colliders_are_found_by_name) {
    const std::string ball = "[[collider]]\nname = \"ball\"\nsphere = { center = [0, 0, 0], radius = 1 }\n";
    const std::string plane = "[[collider]]\nname = \"floor\"\nplane = { point = [0, 0, 0], normal = [0, 1, 0] }\n";
    EXPECT_EQ(complaints(emitter("collider = \"bal\"\nspeed = 2", ball)),
              "dam.toml:5:12: collider: there is no collider 'bal'; did you mean 'ball'?");
    EXPECT_EQ(complaints(emitter("collider = \"creature\"\nspeed = 2", ball + plane)),
              "dam.toml:5:12: collider: there is no collider 'creature'; there are: ball, floor");
    EXPECT_EQ(complaints(emitter("collider = \"ball\"\nspeed = 2")),
              "dam.toml:5:12: collider: there is no collider 'ball'; give a [[collider]] this name");
    EXPECT_EQ(complaints(emitter("collider = \"floor\"\nspeed = 2", plane)),
              "dam.toml:5:12: collider: a plane has no end, so liquid cannot leave it all over; use a box");
}

}  // namespace
}  // namespace spindrift
