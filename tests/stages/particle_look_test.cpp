#include "spindrift/stages/pictures/particle_look.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/scene/liquid_color.h"

namespace spindrift::stages {
namespace {

Scene two_liquids() {
    Scene scene;
    scene.liquid.resize(2);
    scene.liquid[0].name = "water";
    scene.liquid[1].name = "oil";
    return scene;
}

/// Two particles, one of each liquid.
ChannelSet two_particles() {
    ChannelSet frame;
    frame.channels.reserve(4);
    ChannelArray& x = frame.add("P", {ScalarType::f32, 3}, 2);
    x.as<Vec3f>()[0] = {0.1f, 0.1f, 0.05f}, x.as<Vec3f>()[1] = {0.3f, 0.1f, 0.05f};
    ChannelArray& phase = frame.add("phase", {ScalarType::u16, 1}, 2);
    phase.as<std::uint16_t>()[0] = 0, phase.as<std::uint16_t>()[1] = 1;
    ChannelArray& v = frame.add("v", {ScalarType::f32, 3}, 2);
    v.as<Vec3f>()[0] = {3, 0, 4}, v.as<Vec3f>()[1] = {};
    return frame;
}

TEST(ParticleLook, several_liquids_have_their_colors_and_one_has_its_speed) {
    Scene scene = two_liquids();
    const ParticleColors both = particle_colors(scene, two_particles());
    EXPECT_EQ(both.colors, (std::vector<Vec3f>{liquid_color(scene, 0), liquid_color(scene, 1)}));
    ASSERT_EQ(both.swatches.size(), 2u);
    EXPECT_EQ(both.swatches[1].name, "oil");
    EXPECT_TRUE(both.values.empty());
    scene.liquid.pop_back();
    const ParticleColors one = particle_colors(scene, two_particles());
    EXPECT_EQ(one.values, (std::vector<float>{5, 0}));
    EXPECT_TRUE(one.colors.empty() && one.swatches.empty());
}

TEST(ParticleLook, carried_colors_are_used_as_they_are_within_what_can_be_shown) {
    Scene scene = two_liquids();
    scene.render.color = "Cd";
    ChannelSet frame = two_particles();
    EXPECT_THROW(particle_colors(scene, frame), UsageError);
    frame.add("Cd", {ScalarType::f32, 3}, 2);
    frame.find("Cd")->as<Vec3f>()[0] = {0.25f, 0.5f, 0.75f};
    frame.find("Cd")->as<Vec3f>()[1] = {-1, 2, std::numeric_limits<float>::quiet_NaN()};
    const ParticleColors colors = particle_colors(scene, frame);
    EXPECT_EQ(colors.colors, (std::vector<Vec3f>{{0.25f, 0.5f, 0.75f}, {0, 1, 0}}));
    EXPECT_TRUE(colors.swatches.empty());
}

TEST(ParticleLook, a_phase_of_another_type_is_refused) {
    ChannelSet frame;
    frame.add("phase", {ScalarType::f32, 1}, 2);
    EXPECT_THROW(particle_colors(two_liquids(), frame), UsageError);
}

TEST(ParticleLook, errors_of_density_are_percents_of_each_liquids_own) {
    Scene scene = two_liquids();
    scene.liquid[0].density = 1000;
    scene.liquid[1].density = 800;
    scene.render.color = "density_error";
    ChannelSet frame = two_particles();
    EXPECT_THROW(particle_colors(scene, frame), UsageError) << "there is no density";
    frame.add("density", {ScalarType::f32, 1}, 2);
    frame.find("density")->as<float>()[0] = 1010, frame.find("density")->as<float>()[1] = 792;
    const ParticleColors colors = particle_colors(scene, frame);
    ASSERT_EQ(colors.values.size(), 2u);
    EXPECT_FLOAT_EQ(colors.values[0], 1);
    EXPECT_FLOAT_EQ(colors.values[1], -1);
    EXPECT_FALSE(colors.whole);
    scene.liquid.pop_back();
    EXPECT_THROW(particle_colors(scene, frame), UsageError) << "the second particle's liquid is not in the scene";
    scene.liquid.clear();
    EXPECT_THROW(particle_colors(scene, frame), UsageError);
}

TEST(ParticleLook, integers_are_known_as_whole_numbers) {
    const auto is_whole = [](const std::string& color) {
        Scene scene = two_liquids();
        scene.render.color = color;
        return particle_colors(scene, two_particles()).whole;
    };
    EXPECT_TRUE(is_whole("phase"));
    EXPECT_FALSE(is_whole("v"));
}

TEST(ParticleLook, radii_are_those_of_pscale_or_none) {
    ChannelSet frame = two_particles();
    EXPECT_TRUE(particle_radii(frame).empty());
    ChannelArray& pscale = frame.add("pscale", {ScalarType::f32, 1}, 2);
    pscale.as<float>()[0] = 0.5f, pscale.as<float>()[1] = 0.25f;
    EXPECT_EQ(particle_radii(frame), (std::vector<float>{0.5f, 0.25f}));
}

}  // namespace
}  // namespace spindrift::stages
