#include "spindrift/params/affects.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

struct Wall {
    double width = 1;
    double grip = 0;
    std::string paint = "grey";

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("width", self.width, {});
        v("grip", self.grip, {.affects = Affects::simulation});
        v("paint", self.paint, {.affects = Affects::look});
    }
    friend bool operator==(const Wall&, const Wall&) = default;
};

struct View {
    std::string name{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name, {});
    }
    friend bool operator==(const View&, const View&) = default;
};

struct World {
    double gravity = 9.81;
    double rate = 24;
    std::vector<Wall> wall{};
    std::optional<Wall> floor{};
    std::vector<View> camera{};
    View file{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("gravity", self.gravity, {});
        v("rate", self.rate, {.affects = Affects::simulation | Affects::surface});
        v("wall", self.wall, {.affects = Affects::simulation | Affects::surface});
        v("floor", self.floor, {});
        v("camera", self.camera, {.affects = Affects::look});
        v("file", self.file, {.affects = Affects::output});
    }
    friend bool operator==(const World&, const World&) = default;
};

World changed_world() {
    return {.gravity = 1,
            .rate = 30,
            .wall = {{2, 0.5, "red"}, {3, 0.6, "blue"}},
            .floor = Wall{4, 0.7, "green"},
            .camera = {{"left"}, {"right"}},
            .file = {"here"}};
}

TEST(Affects, what_does_not_matter_is_as_if_not_given) {
    EXPECT_EQ(
        only_affecting(changed_world(), Affects::simulation),
        (World{.gravity = 1, .rate = 30, .wall = {{2, 0.5, "grey"}, {3, 0.6, "grey"}}, .floor = Wall{4, 0.7, "grey"}}));
    EXPECT_EQ(only_affecting(changed_world(), Affects::surface),
              (World{.rate = 30, .wall = {{2, 0, "grey"}, {3, 0, "grey"}}}))
        << "a table speaks for members that say nothing, and the simulation is what those affect of whom nobody speaks";
    EXPECT_EQ(only_affecting(changed_world(), Affects::output), (World{.file = {"here"}}));
    EXPECT_EQ(only_affecting(changed_world(), Affects::look | Affects::output).camera, changed_world().camera);
}

TEST(Affects, a_new_look_is_taken_over_alone) {
    World simulated{.gravity = 5, .wall = {{7, 0, "white"}}, .camera = {{"top"}}, .file = {"there"}};
    take_affecting(simulated, changed_world(), Affects::look);
    EXPECT_EQ(simulated,
              (World{.gravity = 5, .wall = {{7, 0, "red"}}, .camera = {{"left"}, {"right"}}, .file = {"there"}}))
        << "walls keep their number; lists of looks come whole";
    World none{.wall = {{1, 0, "a"}, {1, 0, "b"}, {1, 0, "c"}}, .floor = Wall{1, 0, "d"}};
    take_affecting(none, World{.wall = {{1, 0, "z"}}}, Affects::look);
    EXPECT_EQ(none.wall[0].paint, "z");
    EXPECT_EQ(none.wall[2].paint, "c") << "what the other scene does not have stays";
    EXPECT_EQ(none.floor->paint, "d");
}

TEST(Affects, words_name_each_result) {
    EXPECT_EQ(affects_words(Affects::unsaid), std::vector<std::string>{});
    EXPECT_EQ(affects_words(Affects::simulation | Affects::look), (std::vector<std::string>{"simulation", "look"}));
}

}  // namespace
}  // namespace spindrift
