// All that is wrong with a scene is said at once: keys, values, names and files.

#include "complaint.h"
#include "scenes.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/scene/load.h"

namespace spindrift {
namespace {

const std::string wrong_in_many_ways = R"(fames = [1, 9]
[domain]
box = [[0, 0, 0], [1, 1, 1]]
[[liquid]]
name = "water"
spacing = 0.1
fill = { box = [[0, 0, 0], [1, 0.5, 1]] }
[[emitter]]
liquid = "watr"
disc = { radius = 0.1 }
position = [0.5, 0.8, 0.5]
speed = 1
[[collider]]
name = "rock"
mesh = "rock.obj"
[[collider]]
name = "rock"
mesh = "meshes/stone.####.ply"
[[emitter]]
collider = "rok"
speed = 1
liquid = "water"
[render]
qualty = "final"
)";

TEST(OneGo, names_are_told_beside_keys) {
    EXPECT_EQ(complaints(wrong_in_many_ways),
              "dam.toml:1:1: unknown key 'fames'; did you mean 'frames'?\n"
              "dam.toml:9:10: liquid: there is no liquid 'watr'; did you mean 'water'?\n"
              "dam.toml:17:8: another collider is called 'rock' already; give each its own name\n"
              "dam.toml:20:12: collider: there is no collider 'rok'; did you mean 'rock'?\n"
              "dam.toml:24:1: unknown key 'qualty'; did you mean 'quality'?");
}

TEST(OneGo, files_are_told_beside_the_rest) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "dam.toml";
    write_file(file, wrong_in_many_ways);
    const std::string text = complaint([&] { load_complete_scene(file); });
    const std::string here = file.string();
    EXPECT_NE(text.find(here + ":1:1: unknown key 'fames'"), std::string::npos) << text;
    EXPECT_NE(text.find(here + ":15:8: there is no file " + (folder / "rock.obj").string()), std::string::npos) << text;
    EXPECT_NE(text.find(here + ":18:8: there is no folder " + (folder / "meshes").string()), std::string::npos) << text;
    EXPECT_NE(text.find(here + ":20:12: collider: there is no collider 'rok'"), std::string::npos) << text;
}

TEST(OneGo, files_alone_are_input_that_is_missing) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "dam.toml";
    write_file(file, std::string(small_scene) +
                         "[[collider]]\nmesh = \"a.obj\"\n[[body]]\nmesh = \"b.obj\"\ndensity = 500\n"
                         "[render]\nfloor = { image = \"c.png\" }\n");
    EXPECT_NO_THROW(load_scene(file)) << "whoever looks at a cache does not need them";
    try {
        load_complete_scene(file);
        FAIL() << "files are missing";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::input);
        for (const char* name : {"5:8: there is no file", "a.obj", "7:8: there is no file", "b.obj", "c.png"})
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << name << " in " << error.what();
    }
    for (const char* name : {"a.obj", "b.obj", "c.png"})
        write_file(folder / name, "");
    EXPECT_NO_THROW(load_complete_scene(file));
}

TEST(OneGo, names_in_whitewater_and_levels_are_told_before_anything_is_simulated) {
    const std::string scene = std::string(small_scene) + R"([[channel]]
name = "foamy"
[[channel]]
name = "wind"
type = "vec3"
[[collider]]
name = "post"
box = [[0.8, 0, 0], [0.9, 1, 1]]
[[camera]]
name = "wide"
position = [2, 1, 2]
target = [0, 0, 0]
[lod]
model = "dtc"
cameras = ["wid"]
[whitewater]
trapped_air = { mask = "fomy" }
isolation = { mask = "density" }
crest = { mask = "wind" }
[[whitewater.source]]
collider = "pst"
rate = 10
[[whitewater.source]]
mesh = "ring.obj"
rate = 10
)";
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "dam.toml";
    write_file(file, scene);
    const std::string text = complaint([&] { load_complete_scene(file); });
    for (const char* words : {"the scene has no camera 'wid'; did you mean 'wide'?",
                              "mask: frames have no channel 'fomy' of one number; did you mean 'foamy'?",
                              "mask: frames have no channel 'wind' of one number",
                              "collider: there is no collider 'pst'; did you mean 'post'?", "there is no file"})
        EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
    EXPECT_EQ(text.find("'density'"), std::string::npos) << text;
}

TEST(OneGo, one_mistake_is_told_once) {
    // The liquid's name is misspelled: nobody can say that the emitter's is wrong.
    EXPECT_EQ(complaints("[[liquid]]\nnam = \"water\"\nspacing = 0.1\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n"
                         "[[emitter]]\nliquid = \"water\"\ndisc = { radius = 0.1 }\nspeed = 1\n"),
              "dam.toml:2:1: unknown key 'nam'; did you mean 'name'?");
    EXPECT_EQ(complaints("[[emitter]]\nliquid = \"water\"\ndisc = { radius = 0.1 }\nspeed = 1\n"),
              "dam.toml:1:1: 'liquid' is missing; add [[liquid]] with spacing and fill");
}

}  // namespace
}  // namespace spindrift
