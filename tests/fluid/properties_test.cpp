// What liquids and channels make of particles.

#include "spindrift/fluid/properties.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace spindrift::fluid {
namespace {

const Liquid water{.spacing = 0.02, .density = 1000, .viscosity = 1e-6};
const Liquid oil{.spacing = 0.01, .density = 800, .viscosity = 1e-4};

Properties filled(const PropertyRule& rule, const ParticleStore& particles) {
    Properties properties(rule);
    properties.fill(particles, {0, particles.size()}, particles.size(), LiquidOf(particles));
    return properties;
}

TEST(Properties, of_one_liquid_are_one_number_each) {
    ParticleStore particles;
    particles.append(5);
    const Properties properties = filled(PropertyRule({water}), particles);
    EXPECT_EQ(properties.liquids(), nullptr);
    EXPECT_EQ(properties.density().each, nullptr);
    EXPECT_EQ(properties.viscosity().each, nullptr);
    EXPECT_EQ(properties.viscosity()[3], 1e-6f);
    EXPECT_EQ(properties.mass(3), 1.f);
    EXPECT_DOUBLE_EQ(properties.mass_in_kg(3), water.particle_mass());
}

TEST(Properties, of_several_are_those_of_each_particles_liquid) {
    ParticleStore particles;
    particles.request_channel(phase_channel);
    particles.append(6);
    for (std::size_t i = 0; i < 6; ++i)
        particles.find_channel(phase_channel)->as<std::uint16_t>()[particles.slot(i)] = i % 2;
    const PropertyRule rule({water, oil});
    const Properties properties = filled(rule, particles);
    const PropertyRule::Reader read(rule, particles);
    for (std::size_t i = 0; i < 6; ++i) {
        const Liquid& liquid = i % 2 == 0 ? water : oil;
        EXPECT_EQ(properties.liquid(i), i % 2);
        EXPECT_FLOAT_EQ(properties.density()[i], static_cast<float>(liquid.density / 1000));
        EXPECT_FLOAT_EQ(properties.lightness()[i], static_cast<float>(1000 / liquid.density));
        EXPECT_EQ(properties.viscosity()[i], static_cast<float>(liquid.viscosity));
        // Relative masses are floats.
        EXPECT_NEAR(properties.mass_in_kg(i), liquid.particle_mass(), 1e-6 * liquid.particle_mass());
        EXPECT_DOUBLE_EQ(read.mass(i), liquid.particle_mass());
        EXPECT_DOUBLE_EQ(read.density(i), liquid.density);
    }
    EXPECT_EQ(properties.least_viscosity(), 1e-6);
    EXPECT_EQ(properties.largest_viscosity(), 1e-4);
}

TEST(Properties, viscosity_is_what_a_channel_says) {
    ParticleStore particles;
    particles.add_channel("thickness", {ScalarType::f32, 1});
    particles.append(4);
    const float values[] = {0.5f, -1, std::nanf(""), std::numeric_limits<float>::infinity()};
    for (std::size_t i = 0; i < 4; ++i)
        particles.find_channel("thickness")->as<float>()[particles.slot(i)] = values[i];
    const Properties properties = filled(PropertyRule({water}, "thickness"), particles);
    EXPECT_EQ(properties.density().each, nullptr) << "only viscosity differs";
    EXPECT_EQ(properties.viscosity()[0], 0.5f);
    EXPECT_EQ(properties.viscosity()[1], 0.f) << "no liquid is thinner than that";
    EXPECT_EQ(properties.viscosity()[2], 0.f);
    EXPECT_EQ(properties.viscosity()[3], thickest) << "a number that solvers can work with";
    EXPECT_EQ(properties.least_viscosity(), 0);
    EXPECT_EQ(properties.largest_viscosity(), static_cast<double>(thickest));
    EXPECT_EQ(filled(PropertyRule({water}, "other"), particles).viscosity()[0], 1e-6f) << "there is no such channel";
}

TEST(Properties, equal_densities_need_no_array) {
    ParticleStore particles;
    particles.request_channel(phase_channel);
    particles.append(3);
    const Liquid thick{.spacing = 0.02, .density = 1000, .viscosity = 1};
    const Properties properties = filled(PropertyRule({water, thick}), particles);
    EXPECT_EQ(properties.density().each, nullptr);
    EXPECT_NE(properties.viscosity().each, nullptr);
}

}  // namespace
}  // namespace spindrift::fluid
