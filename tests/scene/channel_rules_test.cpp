#include "scenes.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

const std::string heat = "[[channel]]\nname = \"temperature\"\ndefault = 293\nunit = \"K\"\n";
const std::string tint = "[[channel]]\nname = \"tint\"\ntype = \"vec3\"\ndefault = [1, 0.5, 0]\n";
const std::string group = "[[channel]]\nname = \"group\"\ntype = \"int\"\n";

/// A liquid on three lines whose fourth is this.
std::string liquid(const std::string& line) {
    return std::string(small_scene) + line + "\n";
}

TEST(ChannelRulesTest, liquids_set_values_of_declared_channels) {
    const std::string text =
        heat + tint + group + liquid("channels = { temperature = 350, tint = [1, 0, 0], group = -3 }");
    const Scene scene = parse_scene(text, "dam.toml");
    ASSERT_EQ(scene.channel.size(), 3u);
    EXPECT_EQ(scene.channel[0].type, ChannelForm::scalar);
    EXPECT_EQ(scene.channel[1].initial, (Numbers{{1, 0.5, 0}}));
    EXPECT_EQ(scene.channel[2].type, ChannelForm::whole);
    const NumberTable& values = scene.liquid[0].channels;
    EXPECT_EQ(*values.find("tint"), (Numbers{{1, 0, 0}}));
    EXPECT_EQ(*values.find("group"), (Numbers{{-3}}));
    EXPECT_EQ(values.find("age"), nullptr);
    const Scene back = parse_scene(write_scene(scene), "dam.toml");
    EXPECT_EQ(scene_json(back), scene_json(scene));
    validate_scene(scene);
}

TEST(ChannelRulesTest, values_may_be_overridden_one_by_one) {
    const Scene scene = parse_scene(heat + liquid("channels = { temperature = 350 }"), "dam.toml",
                                    {"liquid.channels.temperature=400", "output.channels=[\"age\", \"Cd\"]"});
    EXPECT_EQ(*scene.liquid[0].channels.find("temperature"), (Numbers{{400}}));
    EXPECT_EQ(scene.output.channels, (std::vector{BuiltInChannel::age, BuiltInChannel::color}));
}

TEST(ChannelRulesTest, unknown_channels_are_refused_where_they_stand) {
    EXPECT_EQ(complaints(heat + liquid("channels = { temprature = 350 }")),
              "dam.toml:8:14: unknown channel 'temprature'; did you mean 'temperature'?");
    EXPECT_EQ(complaints(heat + liquid("channels = { wetness = 1 }")),
              "dam.toml:8:14: unknown channel 'wetness'; there are: temperature; or declare it with [[channel]] name = "
              "\"wetness\"");
    EXPECT_EQ(complaints(liquid("channels = { wetness = 1 }")),
              "dam.toml:4:14: unknown channel 'wetness'; declare it with [[channel]] name = \"wetness\"");
}

TEST(ChannelRulesTest, values_have_the_form_of_their_channel) {
    EXPECT_EQ(complaints(tint + liquid("channels = { tint = 1 }")),
              "dam.toml:8:21: tint: the channel is of type vec3: expected three numbers [x, y, z]");
    EXPECT_EQ(complaints(heat + liquid("channels = { temperature = [1, 2, 3] }")),
              "dam.toml:8:28: temperature: the channel is of type float: expected one number");
    EXPECT_EQ(
        complaints(group + liquid("channels = { group = 1.5 }")),
        "dam.toml:7:22: group: the channel is of type int: expected a whole number of at most 2147483647, found 1.5");
    EXPECT_EQ(complaints(group + liquid("channels = { group = 3e9 }")),
              "dam.toml:7:22: group: the channel is of type int: expected a whole number of at most 2147483647, found "
              "3000000000");
    EXPECT_EQ(complaints("[[channel]]\nname = \"a\"\ndefault = [1, 2, 3]\n" + std::string(small_scene)),
              "dam.toml:3:11: default: the channel is of type float: expected one number");
    EXPECT_EQ(complaints(heat + liquid("channels = 350")),
              "dam.toml:8:12: channels: expected a table { name = value }, found 350");
    EXPECT_EQ(complaints(heat + liquid("channels = { temperature = \"hot\" }")),
              "dam.toml:8:28: channels.temperature: expected a number or [x, y, z], found a string");
}

TEST(ChannelRulesTest, values_of_emitters_follow_the_same_rules) {
    const std::string tap = "[[emitter]]\ndisc = { radius = 0.2 }\nposition = [0.5, 2, 0.5]\nspeed = 1\n";
    EXPECT_EQ(complaints(heat + std::string(small_scene) + tap + "channels = { temperature = 400 }\n"), "");
    EXPECT_EQ(complaints(heat + std::string(small_scene) + tap + "channels = { temprature = 400 }\n"),
              "dam.toml:12:14: unknown channel 'temprature'; did you mean 'temperature'?");
}

TEST(ChannelRulesTest, names_of_channels_are_new_and_fit_files) {
    const auto named = [](const std::string& name) {
        return complaints("[[channel]]\nname = \"" + name + "\"\n" + std::string(small_scene));
    };
    EXPECT_EQ(named("Temperature_2"), "");
    EXPECT_EQ(named("Cd"), "dam.toml:2:8: name: 'Cd' has a meaning already; choose another name, such as 'my_Cd'");
    for (const char* taken : {"P", "v", "id", "pscale", "density", "phase", "age", "birth", "uv", "vorticity",
                              "P_local", "rest", "viscosity", "speed"})
        EXPECT_NE(named(taken).find("has a meaning already"), std::string::npos) << taken;
    for (const char* unfit : {"", "a b", "../x", "1st", "\u00e9"})
        EXPECT_NE(named(unfit).find("cannot name a channel; use letters, digits and _"), std::string::npos) << unfit;
    EXPECT_EQ(complaints(heat + heat + std::string(small_scene)),
              "dam.toml:6:8: another channel is called 'temperature' already; give each its own name");
    EXPECT_EQ(complaints("[[channel]]\ntype = \"int\"\n" + std::string(small_scene)),
              "dam.toml:1:1: 'name' is missing; add name = \"temperature\", or whatever the channel holds");
}

TEST(ChannelRulesTest, units_fit_a_legend) {
    EXPECT_EQ(complaints("[[channel]]\nname = \"a\"\nunit = \"degrees of Fahrenheit\"\n" + std::string(small_scene)),
              "dam.toml:3:8: unit: 'degrees of Fahrenheit' does not fit a legend; use at most 16 letters");
}

TEST(ChannelRulesTest, words_that_are_not_types_or_channels_are_refused) {
    EXPECT_EQ(complaints("[[channel]]\nname = \"a\"\ntype = \"flaot\"\n" + std::string(small_scene)),
              "dam.toml:3:8: type: unknown word 'flaot'; did you mean 'float'?");
    EXPECT_EQ(complaints(std::string(small_scene) + "[output]\nchannels = [\"age\", \"vortisity\"]\n"),
              "dam.toml:5:20: channels: unknown word 'vortisity'; did you mean 'vorticity'?");
}

TEST(ChannelRulesTest, meshes_carry_only_channels_that_frames_hold) {
    const auto mesh = [](const std::string& names) {
        return std::string(small_scene) + "[mesh]\nchannels = [" + names + "]\n";
    };
    EXPECT_EQ(complaints(heat + mesh("\"temperature\", \"density\", \"surface_flag\"")), "");
    EXPECT_NE(complaints(heat + mesh("\"density\", \"temprature\""))
                  .find("that the mesh could carry; did you mean 'temperature'?"),
              std::string::npos);
    EXPECT_NE(complaints(mesh("\"vorticity\"")).find("add it to output.channels"), std::string::npos);
    EXPECT_NE(complaints(mesh("\"joy\"")).find("there are: v, id, density"), std::string::npos);
    EXPECT_NE(complaints(mesh("\"joy\"")).find("dam.toml:"), std::string::npos);
}

}  // namespace
}  // namespace spindrift
