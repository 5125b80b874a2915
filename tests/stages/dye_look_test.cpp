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

}  // namespace
}  // namespace spindrift::stages
