#include "spindrift/stages/pictures/color_legend.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace spindrift::stages {
namespace {

using Ends = std::array<double, 2>;

Scene colored_by(const std::string& color) {
    Scene scene;
    scene.liquid.resize(2);
    scene.liquid[0].density = 1000;
    scene.liquid[1].density = 800;
    scene.render.color = color;
    return scene;
}

TEST(ColorLegend, titles_have_units_as_papers_write_them) {
    const Scene scene = colored_by("auto");
    EXPECT_EQ(legend_title(scene, "speed"), "speed (m/s)");
    EXPECT_EQ(legend_title(scene, "density"), "density (kg/m³)");
    EXPECT_EQ(legend_title(scene, "density_error"), "density error (%)");
    EXPECT_EQ(legend_title(scene, "viscosity"), "viscosity (m²/s)");
    EXPECT_EQ(legend_title(scene, "iterations"), "iterations");
    EXPECT_EQ(legend_title(scene, "something_else"), "something_else");
}

TEST(ColorLegend, own_channels_have_their_own_units) {
    Scene scene = colored_by("auto");
    scene.channel.resize(3);
    scene.channel[0].name = "heat_flow", scene.channel[0].unit = "W/m^2";
    scene.channel[1].name = "temperature", scene.channel[1].unit = "°C";
    scene.channel[2].name = "group", scene.channel[2].type = ChannelForm::whole;
    EXPECT_EQ(legend_title(scene, "heat_flow"), "heat_flow (W/m²)");
    EXPECT_EQ(legend_title(scene, "temperature"), "temperature (°C)");
    EXPECT_EQ(legend_title(scene, "group"), "group");
    EXPECT_TRUE(is_whole_channel(scene, "group"));
    EXPECT_FALSE(is_whole_channel(scene, "heat_flow"));
    EXPECT_TRUE(is_whole_channel(scene, "lod"));
    EXPECT_FALSE(is_whole_channel(scene, "age"));
}

TEST(ColorLegend, shares_of_components_are_from_0_to_1) {
    Scene scene = colored_by("mix_milk");
    scene.component.push_back({.name = "milk"});
    EXPECT_EQ(legend_title(scene, "mix_milk"), "share of milk");
    EXPECT_EQ(legend_title(scene, "mix_tea"), "mix_tea");
    const std::vector<float> shares{0.2f, 0.3f};
    EXPECT_EQ(color_range(scene, {.values = shares, .colors = {}, .swatches = {}}), (Ends{0, 1}));
}

TEST(ColorLegend, errors_of_density_reach_as_far_below_zero_as_above) {
    // Half of the particles are at a free surface, where densities are low; that is no compression.
    std::vector<float> errors(1000, -40.f);
    std::fill(errors.begin(), errors.begin() + 500, 0.2f);
    EXPECT_EQ(color_range(colored_by("density_error"), {.values = errors, .colors = {}, .swatches = {}}),
              (Ends{-1, 1}));
    std::fill(errors.begin(), errors.begin() + 20, 2.7f);
    errors[3] = 1000, errors[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(color_range(colored_by("density_error"), {.values = errors, .colors = {}, .swatches = {}}),
              (Ends{-3, 3}));
    EXPECT_EQ(color_range(colored_by("density_error"), {}), (Ends{-1, 1}));
}

TEST(ColorLegend, few_whole_numbers_go_from_the_least_to_the_largest) {
    ParticleColors colors;
    colors.whole = true;
    colors.values = {3, 5, 4, 5};
    EXPECT_EQ(color_range(colored_by("lod"), colors), (Ends{3, 5}));
    colors.values = {2, 2};
    EXPECT_EQ(color_range(colored_by("lod"), colors), (Ends{2, 2}));
    colors.values = {3, 500};
    EXPECT_EQ(color_range(colored_by("id"), colors), (Ends{0, 500})) << "too many: as for other numbers";
    colors.whole = false;
    colors.values = {3, 5};
    EXPECT_EQ(color_range(colored_by("age"), colors), (Ends{0, 5}));
    colors.values = {};
    colors.whole = true;
    EXPECT_EQ(color_range(colored_by("lod"), colors), (Ends{0, 1}));
}

TEST(ColorLegend, densities_are_centred_on_those_of_the_liquids) {
    EXPECT_EQ(color_range(colored_by("density"), {}), (Ends{0.9 * 800, 1.1 * 1000}));
}

}  // namespace
}  // namespace spindrift::stages
