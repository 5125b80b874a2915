#include "scenes.h"
#include <gtest/gtest.h>

#include "spindrift/core/log.h"
#include "spindrift/scene/component_params.h"
#include "spindrift/scene/mixed_liquid.h"

namespace spindrift {
namespace {

const std::string cups = R"([[component]]
name = "milk"
diffusivity = 1e-6
[[component]]
name = "coffee"
[[component]]
name = "syrup"
)";

/// A liquid on three lines whose fourth is this.
std::string liquid(const std::string& line) {
    return std::string(small_scene) + line + "\n";
}

std::string tap(const std::string& mix) {
    return "[[emitter]]\ndisc = { radius = 0.2 }\nposition = [0.5, 2, 0.5]\nspeed = 1\nmix = " + mix + "\n";
}

TEST(ComponentRulesTest, mixes_are_read_and_written) {
    const std::string text = cups + liquid("mix = { milk = 0.25, coffee = 0.75, syrup = 0 }") +
                             tap("{ milk = [[1, 0], [24, 0.5]], syrup = 0 }");
    const Scene scene = parse_scene(text, "latte.toml");
    ASSERT_EQ(scene.component.size(), 3u);
    EXPECT_EQ(scene.component[0].diffusivity, 1e-6);
    EXPECT_EQ(shares_of(scene.component, scene.liquid[0].mix, 1), (std::vector{0.25, 0.75, 0.0}));
    EXPECT_EQ(shares_of(scene.component, scene.emitter[0].mix, 1), (std::vector{0.0, 1.0, 0.0}));
    EXPECT_EQ(shares_of(scene.component, scene.emitter[0].mix, 12.5), (std::vector{0.25, 0.75, 0.0}));
    const Scene back = parse_scene(write_scene(scene), "latte.toml");
    EXPECT_EQ(scene_json(back), scene_json(scene));
    validate_scene(scene);
    EXPECT_EQ(complaints(text, {"liquid.mix.milk=0.5"}),
              "dam.toml:11:7: mix: the shares add up to 1.25, and a particle has no room for more than 1; make them "
              "smaller");
}

TEST(ComponentRulesTest, a_name_that_is_left_out_takes_the_rest) {
    const Scene scene = parse_scene(cups + liquid("mix = { milk = 0.25, syrup = 0.25 }"), "latte.toml");
    EXPECT_EQ(shares_of(scene.component, scene.liquid[0].mix, 1), (std::vector{0.25, 0.5, 0.25}));
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 1 }")), "") << "nothing is left for the others";
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 0.333333, coffee = 0.333333, syrup = 0.333333 }")), "");
    EXPECT_EQ(
        complaints(cups + liquid("mix = { milk = 0.25 }")),
        "dam.toml:11:7: mix: the shares add up to 0.25, and it is not said which of coffee, syrup is the rest; name "
        "all but one of them");
}

TEST(ComponentRulesTest, shares_fit_a_particle) {
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 0.7, coffee = 0.4 }")),
              "dam.toml:11:7: mix: the shares add up to 1.1, and a particle has no room for more than 1; make them "
              "smaller");
    EXPECT_EQ(
        complaints(cups + liquid("mix = { milk = 0.5, coffee = 0.3, syrup = 0.1 }")),
        "dam.toml:11:7: mix: the shares add up to 0.9 in place of 1; make them larger, or leave one name out, which "
        "takes the rest");
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = -0.5 }")),
              "dam.toml:11:16: mix.milk: -0.5 is out of range; allowed: 0 to 1");
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = \"much\" }")),
              "dam.toml:11:16: mix.milk: expected a number, found a string");
    EXPECT_EQ(complaints(cups + liquid("mix = 1")), "dam.toml:11:7: mix: expected a table { name = number }, found 1");
    EXPECT_EQ(
        complaints(cups + liquid("mix = { coffee = 1 }") + tap("{ milk = [[1, 0], [24, 1]], syrup = 0.5 }")),
        "dam.toml:16:7: mix: the shares add up to 1.5 at frame 24, and a particle has no room for more than 1; make "
        "them smaller");
}

TEST(ComponentRulesTest, mixes_name_components_that_there_are) {
    EXPECT_EQ(complaints(cups + liquid("mix = { mlik = 1 }")),
              "dam.toml:11:16: mix: there is no component 'mlik'; did you mean 'milk'?");
    EXPECT_EQ(complaints(cups + liquid("mix = { tea = 1 }")),
              "dam.toml:11:15: mix: there is no component 'tea'; there are: milk, coffee, syrup");
    EXPECT_EQ(complaints(liquid("mix = { milk = 1 }")),
              "dam.toml:4:7: mix: there are no components to mix; add [[component]] with name = \"milk\"");
    EXPECT_EQ(complaints(cups + std::string(small_scene)),
              "dam.toml:8:1: 'mix' is missing: what 'liquid' is made of; add mix = { milk = 1 }");
    EXPECT_EQ(
        complaints(cups + liquid("mix = { milk = [[1, 0], [2, 1]], syrup = 0 }")),
        "dam.toml:11:16: mix.milk: what is there at the start has one mix; keys over frames are for the mix of an "
        "[[emitter]]");
}

TEST(ComponentRulesTest, components_have_names_of_their_own_that_fit_channels) {
    const std::string water = liquid("mix = { milk = 1 }");
    EXPECT_EQ(complaints("[[component]]\nname = \"milk\"\n[[component]]\nname = \"milk\"\n" + water),
              "dam.toml:4:8: another component is called 'milk' already; give each its own name");
    EXPECT_EQ(
        complaints("[[component]]\nname = \"cold milk\"\n" + water),
        "dam.toml:2:8: name: 'cold milk' cannot name a component, whose channel is called mix_<name>; use letters, "
        "digits and _");
    EXPECT_EQ(complaints("[[component]]\nname = \"milk\"\ndiffusivity = -1\n" + water),
              "dam.toml:3:15: diffusivity: -1 m^2/s is out of range; allowed: 0 to 10000 m^2/s");
    EXPECT_EQ(complaints("[[component]]\nname = \"milk\"\n[[channel]]\nname = \"mix_milk\"\n" + water),
              "dam.toml:4:8: 'mix_milk' holds the shares of the component 'milk'; choose another name");
    EXPECT_EQ(complaints("[[component]]\n" + water),
              "dam.toml:1:1: 'name' is missing; add name = \"milk\", or whatever is mixed");
    std::string many;
    for (int k = 0; k < 9; ++k)
        many += "[[component]]\nname = \"c" + std::to_string(k) + "\"\n";
    EXPECT_EQ(complaints(many + liquid("mix = { c0 = 1 }")),
              "dam.toml:18:8: there are 9 components; up to 8 can be mixed");
}

TEST(ComponentRulesTest, meshes_carry_shares) {
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 1 }") + "[mesh]\nchannels = [\"mix_milk\"]\n"), "");
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 1 }") + "[mesh]\nchannels = [\"mix_mlik\"]\n"),
              "dam.toml:13:13: frames have no channel 'mix_mlik' that the mesh could carry; did you mean 'mix_milk'?");
}

TEST(ComponentRulesTest, colours_of_mixtures_are_those_of_components) {
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 1 }\ncolor = [1, 0, 0]")),
              "dam.toml:12:9: color: a mixture has the colours of its components; write color for [[component]] 'milk' "
              "or another, and take it out here");
    EXPECT_EQ(complaints(cups + liquid("mix = { milk = 1 }") + tap("{ milk = 1 }") + "color = [1, 0, 0]\n"),
              "dam.toml:17:9: color: a mixture has the colours of its components; write color for [[component]] 'milk' "
              "or another, and take it out here");
    const Scene scene = parse_scene(
        "[[component]]\nname = \"blue\"\ncolor = [0.05, 0.3, 0.9]\n[[component]]\n"
        "name = \"yellow\"\ncolor = [0.9, 0.8, 0.05]\n" +
            liquid("mix = { blue = 1 }"),
        "paint.toml");
    const MixtureColors colors(scene);
    const auto mixed = [&](float blue) { return colors.of([&](std::size_t k) { return k == 0 ? blue : 1 - blue; }); };
    EXPECT_NEAR(mixed(1).z, 0.9f, 1e-6f);
    EXPECT_NEAR(mixed(0).x, 0.9f, 1e-6f);
    const Vec3f green = mixed(0.5f);
    EXPECT_GT(green.y, 2 * green.x) << "blue and yellow absorb what is not green";
    EXPECT_GT(green.y, 2 * green.z);
}

TEST(ComponentRulesTest, what_dyes_strongly_counts_for_more) {
    const Scene scene = parse_scene(
        "[[component]]\nname = \"ink\"\ncolor = [0.1, 0.1, 0.5]\nclarity = 0.01\n"
        "[[component]]\nname = \"water\"\ncolor = [0.9, 0.95, 1]\nclarity = 1\n" +
            liquid("mix = { water = 1 }"),
        "ink.toml");
    const MixtureColors colors(scene);
    const Vec3f thin = colors.of([&](std::size_t k) { return k == 0 ? 0.1f : 0.9f; });
    EXPECT_LT(thin.x, 0.2f) << "a tenth of ink is ink";
    EXPECT_NEAR(colors.of([&](std::size_t k) { return k == 0 ? 0.f : 1.f; }).x, 0.9f, 1e-6f);
}

TEST(ComponentRulesTest, grains_say_what_they_weigh_and_what_they_sink_in) {
    const std::string water = liquid("mix = { sand = 0.1, water = 0.9 }");
    const std::string sand = "[[component]]\nname = \"sand\"\ngrain = 1e-4\n",
                      rest = "[[component]]\nname = \"water\"\n";
    EXPECT_EQ(complaints(sand + rest + water),
              "dam.toml:3:9: grain: grains sink by what they weigh; add density = 2650, or settling_speed");
    EXPECT_EQ(complaints(sand + "density = 2650\n" + rest + water), "");
    EXPECT_EQ(complaints(sand + "settling_speed = 0.1\n" + rest + water), "");
    EXPECT_EQ(complaints("[[component]]\nname = \"sand\"\nsettling_speed = 0.1\nmost = 0\n" + rest + water),
              "dam.toml:4:8: most: 0 is out of range; allowed: more than 0, at most 1");
    EXPECT_EQ(complaints("[[component]]\nname = \"sand\"\nsettling_speed = 0.1\nhindrance = 0.5\n" + rest + water),
              "dam.toml:4:13: hindrance: 0.5 is out of range; allowed: 1 to 10");
    EXPECT_EQ(
        complaints(sand + "density = 2650\n" + rest + water +
                   "[[liquid]]\nname = \"oil\"\nmaterial = \"oil\"\nspacing = 0.1\nmix = { water = 1 }\n"
                   "fill = { box = [[2, 0, 0], [3, 1, 1]] }\n"),
        "dam.toml:3:9: grain: the liquids 'liquid' and 'oil' differ, and grains know one that they sink in; write "
        "settling_speed in m/s in place of grain");
}

TEST(ComponentRulesTest, says_that_grains_are_too_coarse_for_stokes) {
    std::vector<std::string> said;
    const LogScope listen([&](LogLevel, const std::string& text) { said.push_back(text); });
    const std::string coarse =
        "[[component]]\nname = \"sand\"\ngrain = 2.5e-4\ndensity = 2650\n[[component]]\nname = "
        "\"water\"\n" +
        liquid("mix = { water = 1 }");
    EXPECT_EQ(complaints(coarse), "");
    EXPECT_TRUE(said.empty());
    EXPECT_EQ(complaints("[mixture]\nsettling = \"stokes\"\n" + coarse), "");
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
              "dam.toml:5:9: grain: the Reynolds number of 'sand' is 112, and Stokes' law is for less than 1; write "
              "settling = \"ferguson_church\" in [mixture]");
}

TEST(ComponentRulesTest, solvers_on_a_grid_say_what_they_cannot_mix) {
    const std::string grid = "solver = \"flip\"\n", two = "[[component]]\nname = \"a\"\n[[component]]\nname = \"b\"\n";
    const std::string water = liquid("mix = { a = 1 }");
    EXPECT_EQ(complaints(grid + two + water), "");
    EXPECT_EQ(complaints(grid + two + "density = 1100\n" + water), "");
    EXPECT_EQ(
        complaints(grid + two + "density = 11000\n" + water),
        "dam.toml:6:11: solver = \"flip\" moves densities of up to 10 to 1 together: make that of 'b', 11000 kg/m^3, "
        "smaller, or write solver = \"pbf\"");
    EXPECT_EQ(complaints(grid + two + "settling_speed = 0.1\n" + water), "");
    EXPECT_EQ(
        complaints(grid + two + "diffusivity = 1e-3\n" + water),
        "dam.toml:6:15: solver = \"flip\" spreads all components alike: give 'b' the diffusivity of 'a', 0 m^2/s, "
        "or write solver = \"pbf\"");
    EXPECT_EQ(complaints(grid + two + "surface_tension = 0.02\n" + water),
              "dam.toml:6:19: solver = \"flip\" knows one surface, against the air: take it out, or write solver = "
              "\"pbf\"");
    EXPECT_EQ(complaints(grid + two + "[mixture]\neddies = 1\n" + water),
              "dam.toml:7:10: solver = \"flip\" has no eddies between cells: give components a larger diffusivity, or "
              "write solver = \"pbf\"");
    EXPECT_EQ(complaints(grid + two + "[flip]\nnarrow_band = 4\n" + water),
              "dam.toml:7:15: particles carry components, and a narrow band has none inside; write narrow_band = 0, or "
              "take [[component]] out");
}

}  // namespace
}  // namespace spindrift
