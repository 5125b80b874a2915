// Channels that colour clear liquid from within.

#include "spindrift/stages/pictures/dye_look.h"

#include <cmath>

#include "complaint.h"
#include <gtest/gtest.h>

namespace spindrift::stages {
namespace {

/// Two particles, the right one coloured.
ChannelSet two_particles() {
    ChannelSet particles;
    auto x = particles.add("P", {ScalarType::f32, 3}, 2).as<Vec3f>();
    x[0] = {0, 0, 0}, x[1] = {1, 0, 0};
    auto cd = particles.add("Cd", {ScalarType::f32, 3}, 2).as<Vec3f>();
    cd[0] = {1, 1, 1}, cd[1] = {1, 0.5f, 0.5f};
    auto salt = particles.add("salt", {ScalarType::f32, 1}, 2).as<float>();
    salt[0] = 0, salt[1] = 1;
    return particles;
}

Scene scene_with(const std::string& dye) {
    Scene scene;
    scene.liquid.resize(1);
    scene.liquid[0].spacing = 0.1;
    scene.liquid[0].color = Vec3d{0.2, 0.9, 0.9};
    scene.render.dye = dye;
    return scene;
}

TEST(DyeLook, colours_are_absorptions_that_leave_them_after_the_clarity) {
    const auto dye = make_dye(scene_with("Cd"), two_particles(), {0, 0, 0}, 2);
    ASSERT_TRUE(dye);
    EXPECT_NEAR(dye->at({1, 0, 0}).y, std::log(2.f) / 2, 1e-3f);
    EXPECT_NEAR(dye->at({1, 0, 0}).x, 0, 1e-6f);
    EXPECT_NEAR(dye->at({0, 0, 0}).y, 0, 1e-6f);
    Scene clearer = scene_with("Cd");
    clearer.liquid[0].clarity = 4;
    EXPECT_NEAR(make_dye(clearer, two_particles(), {0, 0, 0}, 2)->at({1, 0, 0}).y, std::log(2.f) / 4, 1e-3f);
}

TEST(DyeLook, single_numbers_are_shares_of_the_liquids_colour) {
    const auto dye = make_dye(scene_with("salt"), two_particles(), {0, 0, 0}, 1);
    EXPECT_NEAR(dye->at({1, 0, 0}).x, -std::log(0.2f), 1e-3f);
    EXPECT_LT(dye->at({0, 0, 0}).x, 0.6f) << "nearly clear";
}

TEST(DyeLook, unknown_channels_are_named_with_those_there_are) {
    EXPECT_FALSE(make_dye(scene_with(""), two_particles(), {0, 0, 0}, 1));
    const std::string said = complaint([] { make_dye(scene_with("sald"), two_particles(), {0, 0, 0}, 1); });
    EXPECT_NE(said.find("did you mean 'salt'"), std::string::npos) << said;
    EXPECT_FALSE(complaint([] { make_dye(scene_with("Cd"), ChannelSet{}, {0, 0, 0}, 1); }).empty());
}

/// Two particles, of blue dye and of milk alone; and one of both between them.
ChannelSet blue_and_milk() {
    ChannelSet particles;
    auto x = particles.add("P", {ScalarType::f32, 3}, 3).as<Vec3f>();
    x[0] = {0, 0, 0}, x[1] = {1, 0, 0}, x[2] = {2, 0, 0};
    auto blue = particles.add("mix_blue", {ScalarType::f32, 1}, 3).as<float>();
    auto milk = particles.add("mix_milk", {ScalarType::f32, 1}, 3).as<float>();
    blue[0] = 1, blue[1] = 0.5f, blue[2] = 0;
    milk[0] = 0, milk[1] = 0.5f, milk[2] = 1;
    return particles;
}

Scene milky_scene() {
    Scene scene = scene_with("");
    scene.liquid[0].color.reset();
    scene.component.push_back({.name = "blue", .color = Vec3d{0.1, 0.2, 0.9}, .clarity = 0.5});
    scene.component.push_back({.name = "milk", .material = Material::milk, .clarity = 0.01, .ior = 1.5});
    return scene;
}

TEST(DyeLook, mixtures_absorb_and_scatter_as_what_they_are_mixed_of) {
    const auto dye = make_dye(milky_scene(), blue_and_milk(), {0, 0, 0}, 2);
    ASSERT_TRUE(dye) << "without being asked for";
    EXPECT_NEAR(dye->at({0, 0, 0}).x, -std::log(0.1f) / 0.5f, 1e-3f);
    EXPECT_EQ(dye->haze_at({0, 0, 0}).scattered, 0);
    const auto milk = dye->haze_at({2, 0, 0}), both = dye->haze_at({1, 0, 0});
    EXPECT_NEAR(milk.scattered, 3 / 0.01f, 1e-2f) << "nothing is seen through a hundredth of a metre";
    EXPECT_NEAR(both.scattered, 0.5f * milk.scattered, 1e-2f);
    const Vec3f white = render::deep_color(milk.absorbed, milk.scattered), color = material_look(Material::milk).color;
    EXPECT_NEAR(white.x, color.x, 1e-3f);
    EXPECT_NEAR(white.z, color.z, 1e-3f);
    EXPECT_LT(render::deep_color(both.absorbed, both.scattered).x, white.x) << "dyed milk is darker";
    Scene plain = milky_scene();
    plain.render.dye = no_dye;
    EXPECT_FALSE(make_dye(plain, blue_and_milk(), {0, 0, 0}, 2));
    EXPECT_TRUE(mixture_iors(plain, blue_and_milk()).empty());
    const std::vector<float> iors = mixture_iors(milky_scene(), blue_and_milk());
    ASSERT_EQ(iors.size(), 1u);
    EXPECT_NEAR(iors[0], 0.5f * (1.333f + 1.5f), 1e-3f);
    const std::string said = complaint([] { make_dye(milky_scene(), two_particles(), {0, 0, 0}, 1); });
    EXPECT_NE(said.find("'mix_blue'"), std::string::npos) << said;
}

}  // namespace
}  // namespace spindrift::stages
