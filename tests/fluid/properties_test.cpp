// What liquids and channels make of particles.

#include "spindrift/fluid/properties.h"

#include <array>
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

/// Honey and water as components of one liquid; particle i has i tenths of honey.
struct Syrup {
    explicit Syrup(Mixture mixture) : rule({water}, {}, std::move(mixture)) {
        for (const char* name : {"mix_honey", "mix_water"})
            particles.add_channel(name, {ScalarType::f32, 1});
        particles.append(11);
        for (std::size_t i = 0; i < 11; ++i) {
            const std::array<double, 2> parts{0.1 * static_cast<double>(i), 1 - 0.1 * static_cast<double>(i)};
            const Shares shares = whole_shares(parts);
            particles.find_channel("mix_honey")->as<float>()[particles.slot(i)] = shares[0];
            particles.find_channel("mix_water")->as<float>()[particles.slot(i)] = shares[1];
        }
    }
    PropertyRule::Reader read() const { return PropertyRule::Reader(rule, particles); }

    PropertyRule rule;
    ParticleStore particles;
};

Mixture honey_and_water() {
    Liquid honey = water;
    honey.density = 1400;
    honey.viscosity = 7e-3;
    return {.components = {{.channel = "mix_honey"}, {.channel = "mix_water"}}, .pure = {honey, water}};
}

TEST(Properties, of_mixtures_are_means_of_what_they_are_mixed_of) {
    const Syrup syrup(honey_and_water());
    const Properties properties = filled(syrup.rule, syrup.particles);
    EXPECT_EQ(syrup.rule.reference_density(), 1400);
    ASSERT_NE(properties.density().each, nullptr);
    ASSERT_NE(properties.viscosity().each, nullptr);
    for (std::size_t i = 0; i < 11; ++i) {
        const double honey = 0.1 * static_cast<double>(i);
        EXPECT_NEAR(static_cast<double>(properties.density()[i]), (1000 + 400 * honey) / 1400, 1e-6);
        EXPECT_NEAR(properties.mass_in_kg(i), (1000 + 400 * honey) * water.particle_volume(), 1e-8);
        const double log = std::log(1e-6) + honey * std::log(7e3);
        EXPECT_NEAR(static_cast<double>(properties.viscosity()[i]) / std::exp(log), 1, 1e-5);
    }
    EXPECT_EQ(properties.viscosity()[0], 1e-6f) << "water alone has the viscosity of water, to the bit";
    EXPECT_EQ(properties.viscosity()[10], 7e-3f);
    EXPECT_EQ(properties.density()[10], 1.f);
    EXPECT_NEAR(properties.largest_viscosity(), 7e-3, 1e-9);
    EXPECT_NEAR(properties.least_viscosity(), 1e-6, 1e-12);
}

TEST(Properties, of_mixtures_may_take_the_plain_mean_of_viscosities) {
    Mixture mixture = honey_and_water();
    mixture.viscosity = ViscosityMean::mean;
    const Syrup syrup(mixture);
    EXPECT_NEAR(static_cast<double>(syrup.read().viscosity(5)), 0.5 * (7e-3 + 1e-6), 1e-8);
}

TEST(Properties, of_dyes_are_those_of_the_liquid_and_cost_nothing) {
    Mixture mixture = honey_and_water();
    mixture.pure = {water, water};
    const Syrup dyes(mixture);
    const Properties properties = filled(dyes.rule, dyes.particles);
    EXPECT_EQ(properties.density().each, nullptr);
    EXPECT_EQ(properties.viscosity().each, nullptr);
    EXPECT_EQ(properties.viscosity()[4], 1e-6f);
}

TEST(Properties, of_grains_make_water_thicker_up_to_a_bed) {
    Mixture mixture = honey_and_water();
    mixture.pure = {water, water};
    mixture.pure[0].density = 2650;
    mixture.components[0].grains = Grains{.radius = 1e-4, .density = 2650, .most = 0.6};
    const Syrup mud(mixture);
    // (1 - S / 0.6)^(-1.5)
    EXPECT_NEAR(static_cast<double>(mud.read().viscosity(3)) / 1e-6, std::pow(0.5, -1.5), 1e-4);
    EXPECT_EQ(mud.read().viscosity(0), 1e-6f);
    EXPECT_NEAR(static_cast<double>(mud.read().viscosity(7)) / 1e-6, 1e3, 1e-2) << "as thick as a bed gets";
    mixture.suspension = false;
    EXPECT_EQ(Syrup(mixture).read().viscosity(3), 1e-6f);
}

}  // namespace
}  // namespace spindrift::fluid
