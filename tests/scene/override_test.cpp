#include "scenes.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

Scene with(const std::vector<std::string>& overrides) {
    return parse_scene(full_scene, "sea.toml", overrides);
}

TEST(OverrideTest, sets_values_of_sections_that_need_not_exist) {
    EXPECT_EQ(with({"solver.iterations=12"}).solver.iterations, 12);
    EXPECT_EQ(parse_scene(small_scene, "dam.toml", {"solver.iterations=12"}).solver.iterations, 12);
    EXPECT_EQ(parse_scene(small_scene, "dam.toml", {"domain.box=[[0,0,0],[2,2,2]]"}).domain->box.hi.x, 2);
}

TEST(OverrideTest, finds_entries_by_index_by_name_and_alone) {
    EXPECT_EQ(with({"liquid.0.spacing=0.04"}).liquid[0].spacing, 0.04);
    EXPECT_EQ(with({"liquid.sea.spacing=0.04"}).liquid[0].spacing, 0.04);
    EXPECT_EQ(with({"liquid.spacing=0.04"}).liquid[0].spacing, 0.04);
    EXPECT_EQ(with({"collider.slope.friction=0.75"}).collider[1].friction, 0.75);
    EXPECT_EQ(with({"liquid.sea.fill.1.sphere.radius=0.2"}).liquid[0].fill[1].sphere->radius, 0.2);
    EXPECT_EQ(with({"gravity.1=-3"}).gravity.constant.y, -3);
    EXPECT_EQ(parse_scene(small_scene, "dam.toml", {"liquid.0.fill.0.velocity=[1,2,3]"}).liquid[0].fill[0].velocity.z,
              3);
}

TEST(OverrideTest, sets_keys_and_values_of_keys) {
    EXPECT_EQ(with({"gravity={keys=[[1,[0,0,0]],[3,[0,-4,0]]]}"}).gravity.at(2), (Vec3d{0, -2, 0}));
    EXPECT_EQ(with({"force.0.strength=[[1, 0], [9, 8]]"}).force[0].strength.at(5), 4);
    EXPECT_EQ(with({"force.3.strength.keys.1.1=7"}).force[3].strength.at(20), 7);
    EXPECT_EQ(with({"force.3.strength.interpolation=linear"}).force[3].strength.interpolation, Interpolation::linear);
    EXPECT_EQ(complaints(full_scene, {"gravity=[[9,[0,0,0]],[3,[0,-4,0]]]"}),
              "--set gravity=[[9,[0,0,0]],[3,[0,-4,0]]]: gravity: the keys' frames must ascend: 3 comes after 9");
}

TEST(OverrideTest, takes_bare_words_as_strings) {
    EXPECT_EQ(with({"liquid.sea.material=milk"}).liquid[0].material, Material::milk);
    EXPECT_EQ(with({"render.color=\"vorticity\""}).render.color, "vorticity");
    EXPECT_EQ(with({"output.path=a b/c.d"}).output.path, "a b/c.d");
    EXPECT_EQ(with({"output.path="}).output.path, "");
}

TEST(OverrideTest, later_ones_win) {
    EXPECT_EQ(with({"fps=25", "fps=50"}).fps, 50);
}

TEST(OverrideTest, mistakes_name_the_override) {
    EXPECT_EQ(complaints(full_scene, {"solver.iterations=800"}),
              "--set solver.iterations=800: iterations: 800 is out of range; allowed: 1 to 100");
    EXPECT_EQ(complaints(full_scene, {"solver.iteration=8"}),
              "--set solver.iteration=8: unknown key 'iteration'; did you mean 'iterations'?");
    EXPECT_EQ(complaints(full_scene, {"liquid.river.spacing=1"}),
              "--set liquid.river.spacing=1: there is no entry 'river' in 'liquid'; there are: 0 ('sea')");
    EXPECT_EQ(complaints(full_scene, {"collider.2.friction=1"}),
              "--set collider.2.friction=1: there is no entry '2' in 'collider'; there are: 0 ('pillar'), 1 ('slope')");
    EXPECT_EQ(complaints(full_scene, {"fps.x=1"}), "--set fps.x=1: 'fps' is 30, not a table");
    EXPECT_EQ(complaints(full_scene, {"fps"}), "--set fps: expected path=value, such as solver.iterations=8");
    EXPECT_EQ(complaints(full_scene, {"solver..cfl=1"}),
              "--set solver..cfl=1: expected a path of keys with points between, such as solver.iterations");
    EXPECT_EQ(complaints(full_scene, {"gravity=[1, 2"}).substr(0, 21), "--set gravity=[1, 2: ");
}

TEST(OverrideTest, a_value_cannot_smuggle_in_other_keys) {
    EXPECT_EQ(with({"render.color=1\nfps = 3"}).render.color, "1\nfps = 3");
    EXPECT_EQ(with({"render.color=1\nfps = 3"}).fps, 30);
}

}  // namespace
}  // namespace spindrift
