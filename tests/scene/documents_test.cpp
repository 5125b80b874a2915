// What is made of the description: TOML, JSON, the schema and the reference.

#include "scenes.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "spindrift/params/type_info.h"

namespace spindrift {
namespace {

using Json = nlohmann::json;

/// Calls f(path, entry) for every parameter of the scene.
template <class F>
void for_every_key(const TypeInfo& type, const F& f) {
    for (const ParamEntry& entry : type.members) {
        f(entry);
        for_every_key(entry.type.kind == TypeInfo::Kind::list ? entry.type.item.front() : entry.type, f);
    }
}

TEST(WriteSceneTest, what_is_written_reads_back_as_the_same_scene) {
    for (const std::string_view text : {small_scene, full_scene}) {
        const Scene scene = parse_scene(text, "sea.toml");
        const std::string written = write_scene(scene);
        const Scene back = parse_scene(written, "sea.toml");
        EXPECT_EQ(scene_json(back), scene_json(scene)) << written;
        EXPECT_EQ(write_scene(back), written);
    }
}

TEST(WriteSceneTest, only_what_differs_from_the_defaults_is_written) {
    EXPECT_EQ(write_scene(parse_scene(small_scene, "dam.toml")),
              "version = 1\n\n[[liquid]]\nspacing = 0.1\nfill = [{ box = [[0, 0, 0], [1, 1, 1]] }]\n");
}

TEST(WriteSceneTest, strings_survive_quotes_and_control_characters) {
    Scene scene = parse_scene(small_scene, "dam.toml");
    scene.liquid[0].name = "a \"b\" \\ \n\t\x7f \u00e9";
    EXPECT_EQ(parse_scene(write_scene(scene), "dam.toml").liquid[0].name, scene.liquid[0].name);
}

TEST(WriteSceneTest, keys_stay_on_the_line_of_their_parameter) {
    const std::string gravity =
        "gravity = { keys = [[1, [0, 0, 0]], [24, [0, -9.81, 0]]], interpolation = \"smooth\" }\n";
    const Scene scene = parse_scene(gravity + std::string(small_scene), "dam.toml");
    EXPECT_NE(write_scene(scene).find("\n" + gravity), std::string::npos);
}

TEST(SceneJsonTest, holds_every_value_with_presets_filled_in) {
    const Json json = Json::parse(scene_json(parse_scene(small_scene, "folder/dam.toml")));
    EXPECT_EQ(json["liquid"][0]["density"], material_properties(Material::water).density);
    EXPECT_EQ(json["liquid"][0]["fill"][0]["sampling"], "lattice");
    EXPECT_EQ(json["output"]["path"], "dam_cache");
    EXPECT_EQ(json["solver"]["acceleration"], "auto");
    EXPECT_EQ(json["camera"], Json::array());
}

TEST(SceneJsonTest, does_not_depend_on_how_the_scene_was_written) {
    const std::string other =
        "fps = 24.0\n[solver]\n[[liquid]]\nfill = [{ box = [[0.0, 0, 0], [1, 1.0, 1e0]] }]\nspacing=1e-1";
    EXPECT_EQ(scene_json(parse_scene(other, "dam.toml")), scene_json(parse_scene(small_scene, "dam.toml")));
}

TEST(SchemaTest, is_json_and_knows_every_key) {
    const std::string text = scene_schema();
    const Json schema = Json::parse(text);
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_EQ(schema["required"], Json::array({"liquid"}));
    // A word alone, or the table.
    const Json& solver = schema["properties"]["solver"]["anyOf"];
    EXPECT_EQ(solver[0]["enum"], Json::array({"pbf", "flip", "apic", "pic"}));
    EXPECT_EQ(solver[1]["properties"]["iterations"]["maximum"], 100);
    EXPECT_EQ(solver[1]["properties"]["acceleration"]["enum"][0], "auto");
    const Json& gravity = schema["properties"]["gravity"];
    EXPECT_EQ(gravity["x-animatable"], true);
    ASSERT_EQ(gravity["anyOf"].size(), 3u);
    EXPECT_EQ(gravity["anyOf"][0]["items"]["maximum"], 10000);
    EXPECT_EQ(gravity["anyOf"][1]["properties"]["interpolation"]["enum"],
              Json::array({"linear", "smooth", "constant"}));
    EXPECT_EQ(gravity["anyOf"][2]["items"]["prefixItems"][1], gravity["anyOf"][0]);
    EXPECT_EQ(schema["$defs"]["liquid"]["properties"]["spacing"]["x-unit"], "m");
    EXPECT_EQ(schema["$defs"]["liquid"]["properties"]["clarity"]["x-affects"], nlohmann::json::array({"look"}));
    EXPECT_EQ(schema["$defs"]["fill"]["additionalProperties"], false);
    for_every_key(type_info<Scene>(), [&](const ParamEntry& entry) {
        EXPECT_NE(text.find('"' + entry.name + "\": {"), std::string::npos) << entry.name;
    });
}

TEST(ReferenceTest, lists_every_key_and_says_where_it_comes_from) {
    const std::string page = parameter_reference();
    EXPECT_NE(page.substr(0, page.find('\n')).find("spindrift schema --docs"), std::string::npos);
    for_every_key(type_info<Scene>(), [&](const ParamEntry& entry) {
        EXPECT_NE(page.find("| `" + entry.name + "` | "), std::string::npos) << entry.name;
    });
    EXPECT_NE(page.find("## `[[liquid]]`"), std::string::npos);
    EXPECT_NE(page.find("## `[solver]`"), std::string::npos);
    EXPECT_NE(page.find("| `gravity` | [x, y, z], animatable | m/s^2 |"), std::string::npos);
    EXPECT_NE(page.find("interpolation = \"smooth\""), std::string::npos);
    EXPECT_NE(page.find("| `iterations` | whole number |  | `4` | 1 to 100 |"), std::string::npos);
}

}  // namespace
}  // namespace spindrift
